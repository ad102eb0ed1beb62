package org.fibnuma.binding.bpf;

import org.fibnuma.binding.afxdp.VethPair;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class LoadedProgramSystemTest
{
    private static final int BPF_PROG_TYPE_SCHED_CLS = 3;
    private static final int TCX_NEXT = -1;
    private static final String NAME = "fibnuma_tc";

    private VethPair veth;

    @BeforeEach
    void open() throws IOException
    {
        Require.root();
        Require.program("ip", "iproute2");
        veth = new VethPair(1);
    }

    @AfterEach
    void close() throws IOException
    {
        if (veth != null)
        {
            veth.close();
        }
    }

    @Test
    void shouldFindProgramsOfTrafficControlByTheirLinks()
    {
        NetworkNamespace.call(VethPair.namespace(VethPair.NEAR), () ->
        {
            final int index = LibC.get().if_nametoindex(VethPair.NEAR);
            assertEquals(List.of(), LoadedProgram.tcx(index, true));
            final int program = load();
            final int link = attach(program, index);
            final List<Integer> ids = LoadedProgram.tcx(index, true);
            LibC.get().close(link);
            assertEquals(1, ids.size());
            assertEquals("id " + ids.get(0) + " (" + NAME + ")", LoadedProgram.describe(ids.get(0)));
            assertEquals(List.of(), LoadedProgram.tcx(index, true));
            LibC.get().close(program);
            return null;
        });
    }

    @Test
    void shouldDescribeAProgramThatIsGone()
    {
        assertEquals("id 2147483647", LoadedProgram.describe(Integer.MAX_VALUE));
    }

    private static int load()
    {
        final byte[] code = new BpfAssembler().mov(BpfRegister.R0, TCX_NEXT).exit().assemble();
        try (StructMemory instructions = new StructMemory(code.length);
            StructMemory license = new StructMemory(Integer.BYTES);
            StructMemory attr = new StructMemory(BpfAttrLayout.PROG_LOAD_SIZE))
        {
            instructions.putBytes(0, code);
            license.putString(0, "GPL", license.size());
            attr.putInt(BpfAttrLayout.PROG_TYPE_OFFSET, BPF_PROG_TYPE_SCHED_CLS)
                .putInt(BpfAttrLayout.INSN_CNT_OFFSET, code.length / BpfAssembler.INSTRUCTION_SIZE)
                .putLong(BpfAttrLayout.INSNS_OFFSET, instructions.address())
                .putLong(BpfAttrLayout.LICENSE_OFFSET, license.address())
                .putString(BpfAttrLayout.PROG_NAME_OFFSET, NAME, BpfAttrLayout.NAME_SIZE);
            return BpfSystemCall.check(BpfAttrLayout.BPF_PROG_LOAD, attr, "BPF_PROG_LOAD");
        }
    }

    private static int attach(final int program, final int interfaceIndex)
    {
        try (StructMemory attr = new StructMemory(BpfAttrLayout.LINK_CREATE_SIZE))
        {
            attr.putInt(BpfAttrLayout.LINK_PROG_FD_OFFSET, program)
                .putInt(BpfAttrLayout.LINK_TARGET_IFINDEX_OFFSET, interfaceIndex)
                .putInt(BpfAttrLayout.LINK_ATTACH_TYPE_OFFSET, BpfAttrLayout.BPF_TCX_INGRESS);
            final int link = BpfSystemCall.invoke(BpfAttrLayout.BPF_LINK_CREATE, attr);
            assumeTrue(link >= 0 || !Errno.EINVAL.is(Errno.last()), "needs Linux 6.6 or later for tcx");
            assertTrue(link >= 0, "cannot attach");
            return link;
        }
    }
}
