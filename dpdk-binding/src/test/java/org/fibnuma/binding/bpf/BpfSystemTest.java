package org.fibnuma.binding.bpf;

import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.fibnuma.binding.bpf.BpfRegister.R0;
import static org.fibnuma.binding.bpf.BpfRegister.R1;
import static org.fibnuma.binding.bpf.BpfRegister.R10;
import static org.fibnuma.binding.bpf.BpfRegister.R2;
import static org.fibnuma.binding.bpf.BpfRegister.R3;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BpfSystemTest
{
    @BeforeEach
    void require()
    {
        Require.root();
    }

    @Test
    void shouldKeepEntriesInAMap()
    {
        try (BpfMap map = BpfMap.create(BpfMapType.HASH, 4, 4, 2, BpfMap.NO_PREALLOC, "fibnuma_test"))
        {
            assertNull(map.get(BpfMap.bytes(7)));
            map.put(BpfMap.bytes(7), BpfMap.bytes(70));
            map.put(BpfMap.bytes(8), BpfMap.bytes(80));
            assertArrayEquals(BpfMap.bytes(70), map.get(BpfMap.bytes(7)));
            assertEquals(Errno.E2BIG.number(), assertThrows(
                SystemCallException.class, () -> map.put(BpfMap.bytes(9), BpfMap.bytes(90))).errno());
            assertTrue(map.remove(BpfMap.bytes(7)));
            assertFalse(map.remove(BpfMap.bytes(7)));
            assertThrows(IllegalArgumentException.class, () -> map.get(new byte[3]));
        }
    }

    @Test
    void shouldRunAProgramThatRewritesAndCounts()
    {
        try (BpfMap map = BpfMap.create(BpfMapType.ARRAY, 4, 8, 1, 0, "fibnuma_test");
            BpfProgram program = BpfProgram.loadXdp(new BpfAssembler()
                .load(BpfSize.WORD, R2, R1, XdpContextLayout.DATA_OFFSET)
                .load(BpfSize.WORD, R3, R1, XdpContextLayout.DATA_END_OFFSET)
                .mov(R0, R2)
                .alu(BpfArithmetic.ADD, R0, 14)
                .jumpIf(BpfCondition.ABOVE, R0, R3, "short")
                .load(BpfSize.HALF, R0, R2, 12)
                .networkOrder(BpfSize.HALF, R0)
                .alu(BpfArithmetic.ADD, R0, 1)
                .networkOrder(BpfSize.HALF, R0)
                .store(BpfSize.HALF, R2, 12, R0)
                .store(BpfSize.WORD, R10, -4, 0)
                .mov(R2, R10)
                .alu(BpfArithmetic.ADD, R2, -4)
                .movMap(R1, map)
                .call(BpfHelper.MAP_LOOKUP_ELEM)
                .jumpIf(BpfCondition.EQUAL, R0, 0, "short")
                .load(BpfSize.DOUBLE, R1, R0, 0)
                .alu(BpfArithmetic.ADD, R1, 5)
                .store(BpfSize.DOUBLE, R0, 0, R1)
                .mov(R0, XdpAction.TX)
                .exit()
                .label("short")
                .mov(R0, XdpAction.DROP)
                .exit().assemble(), "fibnuma_test"))
        {
            final byte[] frame = new byte[60];
            frame[12] = 0x08;
            frame[13] = (byte)0xFF;
            final BpfProgram.TestResult result = program.testRun(frame);

            assertEquals(XdpAction.TX, result.action());
            assertEquals(60, result.frame().length);
            assertEquals(0x09, result.frame()[12]);
            assertEquals(0x00, result.frame()[13]);
            assertEquals(5, map.get(BpfMap.bytes(0))[0]);
        }
    }

    @Test
    void shouldTellWhatTheVerifierSays()
    {
        final SystemCallException ex = assertThrows(SystemCallException.class, () -> BpfProgram.loadXdp(
            new BpfAssembler().load(BpfSize.WORD, R2, R1, 0).load(BpfSize.BYTE, R0, R2, 0).exit().assemble(),
            "fibnuma_test"));

        assertEquals(Errno.EACCES.number(), ex.errno());
        assertTrue(ex.getMessage().contains("invalid access to packet"), ex.getMessage());
    }

    @Test
    void shouldRefuseAnInterfaceThatIsNotThere()
    {
        try (BpfProgram program = BpfProgram.loadXdp(
            new BpfAssembler().mov(R0, XdpAction.PASS).exit().assemble(), "fibnuma_test"))
        {
            final SystemCallException ex = assertThrows(SystemCallException.class,
                () -> BpfLink.attachXdp(program, 0x7FFF_FFFF, XdpMode.NATIVE));
            assertTrue(ex.getMessage().startsWith("bpf(BPF_LINK_CREATE): "), ex.getMessage());
        }
    }
}
