package org.fibnuma.binding.bpf;

import org.junit.jupiter.api.Test;

import java.util.HexFormat;

import static org.fibnuma.binding.bpf.BpfRegister.R0;
import static org.fibnuma.binding.bpf.BpfRegister.R1;
import static org.fibnuma.binding.bpf.BpfRegister.R10;
import static org.fibnuma.binding.bpf.BpfRegister.R2;
import static org.fibnuma.binding.bpf.BpfRegister.R3;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Expected bytes follow the tables of Documentation/bpf/standardization/instruction-set.rst by hand. */
class BpfAssemblerTest
{
    @Test
    void shouldEncodeLoadsAndStores()
    {
        assertEquals("6112040000000000", hex(new BpfAssembler().load(BpfSize.WORD, R2, R1, 4)));
        assertEquals("7132ffff00000000",
            hex(new BpfAssembler().load(BpfSize.BYTE, R2, R3, -1)));
        assertEquals("7b1af8ff00000000", hex(new BpfAssembler().store(BpfSize.DOUBLE, R10, -8, R1)));
        assertEquals("6a0a0c0034120000", hex(new BpfAssembler().store(BpfSize.HALF, R10, 12, 0x1234)));
    }

    @Test
    void shouldEncodeArithmetic()
    {
        assertEquals("b700000002000000", hex(new BpfAssembler().mov(R0, XdpAction.PASS)));
        assertEquals("bf21000000000000", hex(new BpfAssembler().mov(R1, R2)));
        assertEquals("0702000022000000", hex(new BpfAssembler().alu(BpfArithmetic.ADD, R2, 34)));
        assertEquals("5403000001000000", hex(new BpfAssembler().alu32(BpfArithmetic.AND, R3, 1)));
        assertEquals("ac11000000000000", hex(new BpfAssembler().alu32(BpfArithmetic.XOR, R1, R1)));
        assertEquals("dc03000010000000", hex(new BpfAssembler().networkOrder(BpfSize.HALF, R3)));
    }

    @Test
    void shouldEncodeWideConstantsInTwoInstructions()
    {
        assertEquals("180100008877665500000000" + "44332211",
            hex(new BpfAssembler().movLong(R1, 0x1122334455667788L)));
    }

    @Test
    void shouldJumpOverWideConstantsAndBackwards()
    {
        final BpfAssembler assembler = new BpfAssembler()
            .label("again")
            .jumpIf(BpfCondition.ABOVE, R2, R3, "end")
            .movLong(R1, 0)
            .jumpIf(BpfCondition.NOT_EQUAL, R1, 7, "again")
            .jump("end")
            .label("end")
            .exit();

        assertEquals(
            "2d32040000000000" + "18010000000000000000000000000000" + "5501fcff07000000" + "0500000000000000" +
            "9500000000000000", hex(assembler));
    }

    @Test
    void shouldEncodeCalls()
    {
        assertEquals("8500000033000000", hex(new BpfAssembler().call(BpfHelper.REDIRECT_MAP)));
    }

    @Test
    void shouldRefuseLabelsThatAreMissingOrTwice()
    {
        assertThrows(IllegalStateException.class, () -> new BpfAssembler().jump("nowhere").assemble());
        assertThrows(IllegalStateException.class, () -> new BpfAssembler().label("a").label("a"));
        assertThrows(
            IllegalArgumentException.class, () -> new BpfAssembler().load(BpfSize.BYTE, R0, R1, 0x8000));
    }

    private static String hex(final BpfAssembler assembler)
    {
        return HexFormat.of().formatHex(assembler.assemble());
    }
}
