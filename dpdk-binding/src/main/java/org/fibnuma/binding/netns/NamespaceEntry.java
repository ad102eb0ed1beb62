package org.fibnuma.binding.netns;

import org.fibnuma.binding.bpf.BpfArithmetic;
import org.fibnuma.binding.bpf.BpfAssembler;
import org.fibnuma.binding.bpf.BpfCondition;
import org.fibnuma.binding.bpf.BpfLink;
import org.fibnuma.binding.bpf.BpfProgram;
import org.fibnuma.binding.bpf.BpfSize;
import org.fibnuma.binding.bpf.XdpAction;
import org.fibnuma.binding.bpf.XdpContextLayout;
import org.fibnuma.binding.bpf.XdpMode;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.NamespaceAccess;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Supplier;

import static org.fibnuma.binding.bpf.BpfRegister.R0;
import static org.fibnuma.binding.bpf.BpfRegister.R1;
import static org.fibnuma.binding.bpf.BpfRegister.R2;
import static org.fibnuma.binding.bpf.BpfRegister.R3;
import static org.fibnuma.binding.bpf.BpfRegister.R4;

/** Enters network namespaces with setns(2). Drops foreign frames with an XDP program in native mode. */
public final class NamespaceEntry implements NamespaceAccess
{
    private static final String PASS = "pass";
    private static final String DROP = "drop";
    private static final int GROUP_BIT = 1;

    @Override
    public <T> T call(final String namespace, final Supplier<T> action)
    {
        try
        {
            return NetworkNamespace.call(namespace, action);
        }
        catch (final SystemCallException ex)
        {
            throw new UserException(ex.getMessage(), ex);
        }
    }

    @Override
    public Attachment dropForeignFrames(final String namespace, final String device, final long macAddress)
    {
        return call(namespace, () ->
        {
            try (BpfProgram program = BpfProgram.loadXdp(dropProgram(macAddress), "fibnuma_sink"))
            {
                return BpfLink.attachXdp(program, LibC.get().if_nametoindex(device), XdpMode.NATIVE)::close;
            }
        });
    }

    private static byte[] dropProgram(final long macAddress)
    {
        final ByteBuffer mac = ByteBuffer.allocate(Long.BYTES).putInt((int)(macAddress >>> Short.SIZE))
            .putShort((short)macAddress).order(ByteOrder.nativeOrder());
        return new BpfAssembler()
            .load(BpfSize.WORD, R2, R1, XdpContextLayout.DATA_OFFSET)
            .load(BpfSize.WORD, R3, R1, XdpContextLayout.DATA_END_OFFSET)
            .mov(R4, R2)
            .alu(BpfArithmetic.ADD, R4, EthernetHeaderFlyweight.LENGTH)
            .jumpIf(BpfCondition.ABOVE, R4, R3, PASS)
            .load(BpfSize.BYTE, R4, R2, EthernetHeaderFlyweight.DESTINATION_OFFSET)
            .jumpIf(BpfCondition.ANY_BIT, R4, GROUP_BIT, PASS)
            .load(BpfSize.HALF, R4, R2, EthernetHeaderFlyweight.DESTINATION_OFFSET + Integer.BYTES)
            .jumpIf(BpfCondition.NOT_EQUAL, R4, mac.getShort(Integer.BYTES) & 0xFFFF, DROP)
            .load(BpfSize.WORD, R4, R2, EthernetHeaderFlyweight.DESTINATION_OFFSET)
            .alu32(BpfArithmetic.MOV, R3, mac.getInt(0))
            .jumpIf(BpfCondition.EQUAL, R4, R3, PASS)
            .label(DROP)
            .mov(R0, XdpAction.DROP)
            .exit()
            .label(PASS)
            .mov(R0, XdpAction.PASS)
            .exit()
            .assemble();
    }
}
