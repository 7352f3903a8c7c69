//! The numbers of arguments that a kernel can have, as one table.

/// Calls the macro `$expand` with a row for each number of arguments from 0 to 35: the names of its
/// functions, then for each argument the parameter's type, the host value's type and its name.
macro_rules! for_each_arity {
    ($expand:ident) => {
        $expand! {
            (call0 prepare0 root0 unpack0;)
            (call1 prepare1 root1 unpack1; D0 A0 a0)
            (call2 prepare2 root2 unpack2; D0 A0 a0, D1 A1 a1)
            (call3 prepare3 root3 unpack3; D0 A0 a0, D1 A1 a1, D2 A2 a2)
            (call4 prepare4 root4 unpack4; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3)
            (call5 prepare5 root5 unpack5; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4)
            (call6 prepare6 root6 unpack6; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5 A5
                a5)
            (call7 prepare7 root7 unpack7; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5 A5
                a5, D6 A6 a6)
            (call8 prepare8 root8 unpack8; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5 A5
                a5, D6 A6 a6, D7 A7 a7)
            (call9 prepare9 root9 unpack9; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5 A5
                a5, D6 A6 a6, D7 A7 a7, D8 A8 a8)
            (call10 prepare10 root10 unpack10; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9)
            (call11 prepare11 root11 unpack11; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10)
            (call12 prepare12 root12 unpack12; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11)
            (call13 prepare13 root13 unpack13; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12)
            (call14 prepare14 root14 unpack14; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13)
            (call15 prepare15 root15 unpack15; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14)
            (call16 prepare16 root16 unpack16; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15)
            (call17 prepare17 root17 unpack17; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16)
            (call18 prepare18 root18 unpack18; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17)
            (call19 prepare19 root19 unpack19; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18)
            (call20 prepare20 root20 unpack20; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19)
            (call21 prepare21 root21 unpack21; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20)
            (call22 prepare22 root22 unpack22; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20, D21 A21 a21)
            (call23 prepare23 root23 unpack23; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20, D21 A21 a21, D22 A22 a22)
            (call24 prepare24 root24 unpack24; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20, D21 A21 a21, D22 A22 a22, D23 A23 a23)
            (call25 prepare25 root25 unpack25; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20, D21 A21 a21, D22 A22 a22, D23 A23 a23, D24 A24 a24)
            (call26 prepare26 root26 unpack26; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20, D21 A21 a21, D22 A22 a22, D23 A23 a23, D24 A24 a24, D25
                A25 a25)
            (call27 prepare27 root27 unpack27; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20, D21 A21 a21, D22 A22 a22, D23 A23 a23, D24 A24 a24, D25
                A25 a25, D26 A26 a26)
            (call28 prepare28 root28 unpack28; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20, D21 A21 a21, D22 A22 a22, D23 A23 a23, D24 A24 a24, D25
                A25 a25, D26 A26 a26, D27 A27 a27)
            (call29 prepare29 root29 unpack29; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20, D21 A21 a21, D22 A22 a22, D23 A23 a23, D24 A24 a24, D25
                A25 a25, D26 A26 a26, D27 A27 a27, D28 A28 a28)
            (call30 prepare30 root30 unpack30; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20, D21 A21 a21, D22 A22 a22, D23 A23 a23, D24 A24 a24, D25
                A25 a25, D26 A26 a26, D27 A27 a27, D28 A28 a28, D29 A29 a29)
            (call31 prepare31 root31 unpack31; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20, D21 A21 a21, D22 A22 a22, D23 A23 a23, D24 A24 a24, D25
                A25 a25, D26 A26 a26, D27 A27 a27, D28 A28 a28, D29 A29 a29, D30 A30 a30)
            (call32 prepare32 root32 unpack32; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20, D21 A21 a21, D22 A22 a22, D23 A23 a23, D24 A24 a24, D25
                A25 a25, D26 A26 a26, D27 A27 a27, D28 A28 a28, D29 A29 a29, D30 A30 a30, D31 A31
                a31)
            (call33 prepare33 root33 unpack33; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20, D21 A21 a21, D22 A22 a22, D23 A23 a23, D24 A24 a24, D25
                A25 a25, D26 A26 a26, D27 A27 a27, D28 A28 a28, D29 A29 a29, D30 A30 a30, D31 A31
                a31, D32 A32 a32)
            (call34 prepare34 root34 unpack34; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20, D21 A21 a21, D22 A22 a22, D23 A23 a23, D24 A24 a24, D25
                A25 a25, D26 A26 a26, D27 A27 a27, D28 A28 a28, D29 A29 a29, D30 A30 a30, D31 A31
                a31, D32 A32 a32, D33 A33 a33)
            (call35 prepare35 root35 unpack35; D0 A0 a0, D1 A1 a1, D2 A2 a2, D3 A3 a3, D4 A4 a4, D5
                A5 a5, D6 A6 a6, D7 A7 a7, D8 A8 a8, D9 A9 a9, D10 A10 a10, D11 A11 a11, D12 A12
                a12, D13 A13 a13, D14 A14 a14, D15 A15 a15, D16 A16 a16, D17 A17 a17, D18 A18 a18,
                D19 A19 a19, D20 A20 a20, D21 A21 a21, D22 A22 a22, D23 A23 a23, D24 A24 a24, D25
                A25 a25, D26 A26 a26, D27 A27 a27, D28 A28 a28, D29 A29 a29, D30 A30 a30, D31 A31
                a31, D32 A32 a32, D33 A33 a33, D34 A34 a34)
        }
    };
}

pub(super) use for_each_arity;
