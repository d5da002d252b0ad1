;; Counts line ends and characters, 16 bytes at a time.
(module
  (memory (export "memory") 9)

  ;; Line ends in [from, to): every "\r" (unless $returns is 0), and every "\n" that follows no such "\r".
  ;; Bits 0 to 27 are their number; bit 29 tells that a byte is not ASCII, bit 30 that there is a "\r".
  ;; Most files have no "\r", so this counts "\n" only, and begins again if it met a "\r".
  (func (export "lineEnds") (param $from i32) (param $to i32) (param $returns i32) (result i32)
    (local $count i32)
    (local $at i32)
    (local $pause i32)
    (local $byte i32)
    (local $high i32)
    (local $return i32)
    (local $a v128)
    (local $b v128)
    (local $c v128)
    (local $d v128)
    (local $ends v128)
    (local $anyByte v128)
    (local $anyReturn v128)
    (local.set $at (local.get $from))
    (block $vectorsDone
      (loop $sums
        (br_if $vectorsDone (i32.gt_u (i32.add (local.get $at) (i32.const 64)) (local.get $to)))
        ;; A lane of $ends holds at most 255, so it is emptied after 63 times four vectors.
        (local.set $pause (i32.add (local.get $at) (i32.const 4032)))
        (if (i32.gt_u (local.get $pause) (local.get $to)) (then (local.set $pause (local.get $to))))
        (local.set $ends (v128.const i64x2 0 0))
        (loop $vectors
          (local.set $a (v128.load (local.get $at)))
          (local.set $b (v128.load offset=16 (local.get $at)))
          (local.set $c (v128.load offset=32 (local.get $at)))
          (local.set $d (v128.load offset=48 (local.get $at)))
          (local.set $ends (i8x16.sub (local.get $ends) (i8x16.eq (local.get $a) (v128.const i8x16 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10))))
          (local.set $ends (i8x16.sub (local.get $ends) (i8x16.eq (local.get $b) (v128.const i8x16 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10))))
          (local.set $ends (i8x16.sub (local.get $ends) (i8x16.eq (local.get $c) (v128.const i8x16 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10))))
          (local.set $ends (i8x16.sub (local.get $ends) (i8x16.eq (local.get $d) (v128.const i8x16 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10))))
          (local.set $anyByte
            (v128.or
              (v128.or (local.get $anyByte) (v128.or (local.get $a) (local.get $b)))
              (v128.or (local.get $c) (local.get $d))))
          (local.set $anyReturn
            (v128.or
              (v128.or
                (local.get $anyReturn)
                (v128.or
                  (i8x16.eq (local.get $a) (v128.const i8x16 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13))
                  (i8x16.eq (local.get $b) (v128.const i8x16 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13))))
              (v128.or
                (i8x16.eq (local.get $c) (v128.const i8x16 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13))
                (i8x16.eq (local.get $d) (v128.const i8x16 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13)))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $vectors (i32.le_u (i32.add (local.get $at) (i32.const 64)) (local.get $pause))))
        (local.set $count (i32.add (local.get $count) (call $sum (local.get $ends))))
        (br $sums)))
    (local.set $high (i8x16.bitmask (local.get $anyByte)))
    (local.set $return (v128.any_true (local.get $anyReturn)))
    (block $bytesDone
      (loop $rest
        (br_if $bytesDone (i32.ge_u (local.get $at) (local.get $to)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (local.set $count (i32.add (local.get $count) (i32.eq (local.get $byte) (i32.const 10))))
        (local.set $return (i32.or (local.get $return) (i32.eq (local.get $byte) (i32.const 13))))
        (local.set $high (i32.or (local.get $high) (i32.and (local.get $byte) (i32.const 128))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $rest)))
    (if (i32.and (local.get $return) (local.get $returns))
      (then (local.set $count (call $mixedLineEnds (local.get $from) (local.get $to)))))
    (i32.or
      (local.get $count)
      (i32.or
        (i32.shl (i32.ne (local.get $high) (i32.const 0)) (i32.const 29))
        (i32.shl (local.get $return) (i32.const 30)))))

  ;; The number of line ends where there are "\r". Vectors are compared with the ones that begin one byte earlier,
  ;; so the byte before `from` must exist and be no "\r".
  (func $mixedLineEnds (param $from i32) (param $to i32) (result i32)
    (local $count i32)
    (local $at i32)
    (local $pause i32)
    (local $byte i32)
    (local $bytes v128)
    (local $ends v128)
    (local.set $at (local.get $from))
    (block $vectorsDone
      (loop $sums
        (br_if $vectorsDone (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $to)))
        (local.set $pause (i32.add (local.get $at) (i32.const 4080)))
        (if (i32.gt_u (local.get $pause) (local.get $to)) (then (local.set $pause (local.get $to))))
        (local.set $ends (v128.const i64x2 0 0))
        (loop $vectors
          (local.set $bytes (v128.load (local.get $at)))
          (local.set $ends
            (i8x16.sub
              (local.get $ends)
              (v128.or
                (i8x16.eq (local.get $bytes) (v128.const i8x16 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13))
                (v128.andnot
                  (i8x16.eq (local.get $bytes) (v128.const i8x16 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10))
                  (i8x16.eq (v128.load (i32.sub (local.get $at) (i32.const 1))) (v128.const i8x16 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13 13))))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $vectors (i32.le_u (i32.add (local.get $at) (i32.const 16)) (local.get $pause))))
        (local.set $count (i32.add (local.get $count) (call $sum (local.get $ends))))
        (br $sums)))
    (block $bytesDone
      (loop $rest
        (br_if $bytesDone (i32.ge_u (local.get $at) (local.get $to)))
        (local.set $byte (i32.load8_u (local.get $at)))
        (local.set $count
          (i32.add
            (local.get $count)
            (i32.or
              (i32.eq (local.get $byte) (i32.const 13))
              (i32.and
                (i32.eq (local.get $byte) (i32.const 10))
                (i32.ne (i32.load8_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 13))))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $rest)))
    (local.get $count))

  ;; Code points in [from, to) of valid UTF-8: the bytes that continue no character (as signed bytes, those over -65).
  (func (export "codePoints") (param $from i32) (param $to i32) (result i32)
    (local $count i32)
    (local $at i32)
    (local $pause i32)
    (local $starts v128)
    (local.set $at (local.get $from))
    (block $vectorsDone
      (loop $sums
        (br_if $vectorsDone (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $to)))
        (local.set $pause (i32.add (local.get $at) (i32.const 4080)))
        (if (i32.gt_u (local.get $pause) (local.get $to)) (then (local.set $pause (local.get $to))))
        (local.set $starts (v128.const i64x2 0 0))
        (loop $vectors
          (local.set $starts
            (i8x16.sub
              (local.get $starts)
              (i8x16.gt_s
                (v128.load (local.get $at))
                (v128.const i8x16 -65 -65 -65 -65 -65 -65 -65 -65 -65 -65 -65 -65 -65 -65 -65 -65))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $vectors (i32.le_u (i32.add (local.get $at) (i32.const 16)) (local.get $pause))))
        (local.set $count (i32.add (local.get $count) (call $sum (local.get $starts))))
        (br $sums)))
    (block $bytesDone
      (loop $rest
        (br_if $bytesDone (i32.ge_u (local.get $at) (local.get $to)))
        (local.set $count
          (i32.add (local.get $count) (i32.gt_s (i32.load8_s (local.get $at)) (i32.const -65))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $rest)))
    (local.get $count))

  ;; The sum of the sixteen unsigned bytes.
  (func $sum (param $lanes v128) (result i32)
    (local.set $lanes (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $lanes))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $lanes)) (i32x4.extract_lane 1 (local.get $lanes)))
      (i32.add (i32x4.extract_lane 2 (local.get $lanes)) (i32x4.extract_lane 3 (local.get $lanes))))))
