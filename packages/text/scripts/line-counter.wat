;; Counts line ends and characters, 16 bytes at a time.
(module
  (memory (export "memory") 9)

  ;; The number of "\n" in [from, to).
  (func (export "newlines") (param $from i32) (param $to i32) (result i32)
    (local $count i32)
    (local $at i32)
    (local $pause i32)
    (local $ends v128)
    (local.set $at (local.get $from))
    (block $vectorsDone
      (loop $sums
        (br_if $vectorsDone (i32.gt_u (i32.add (local.get $at) (i32.const 64)) (local.get $to)))
        ;; A lane of $ends holds at most 255, so it is emptied after 63 times four vectors.
        (local.set $pause (i32.add (local.get $at) (i32.const 4032)))
        (if (i32.gt_u (local.get $pause) (local.get $to)) (then (local.set $pause (local.get $to))))
        (local.set $ends (v128.const i64x2 0 0))
        (loop $vectors
          (local.set $ends
            (i8x16.sub
              (local.get $ends)
              (i8x16.eq (v128.load (local.get $at)) (v128.const i8x16 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10))))
          (local.set $ends
            (i8x16.sub
              (local.get $ends)
              (i8x16.eq (v128.load offset=16 (local.get $at)) (v128.const i8x16 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10))))
          (local.set $ends
            (i8x16.sub
              (local.get $ends)
              (i8x16.eq (v128.load offset=32 (local.get $at)) (v128.const i8x16 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10))))
          (local.set $ends
            (i8x16.sub
              (local.get $ends)
              (i8x16.eq (v128.load offset=48 (local.get $at)) (v128.const i8x16 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10 10))))
          (local.set $at (i32.add (local.get $at) (i32.const 64)))
          (br_if $vectors (i32.le_u (i32.add (local.get $at) (i32.const 64)) (local.get $pause))))
        (local.set $count (i32.add (local.get $count) (call $sum (local.get $ends))))
        (br $sums)))
    (block $bytesDone
      (loop $rest
        (br_if $bytesDone (i32.ge_u (local.get $at) (local.get $to)))
        (local.set $count (i32.add (local.get $count) (i32.eq (i32.load8_u (local.get $at)) (i32.const 10))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $rest)))
    (local.get $count))

  ;; The number of line ends in [from, to): every "\r", and every "\n" that follows none. Vectors are compared with the
  ;; ones that begin one byte earlier, so the byte before `from` must exist and be no "\r".
  (func (export "mixedLineEnds") (param $from i32) (param $to i32) (result i32)
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
