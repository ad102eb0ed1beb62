package org.fibnuma.bench.traffic;

import org.fibnuma.binding.bpf.BpfArithmetic;
import org.fibnuma.binding.bpf.BpfAssembler;
import org.fibnuma.binding.bpf.BpfCondition;
import org.fibnuma.binding.bpf.BpfHelper;
import org.fibnuma.binding.bpf.BpfMap;
import org.fibnuma.binding.bpf.BpfMapType;
import org.fibnuma.binding.bpf.BpfProgram;
import org.fibnuma.binding.bpf.BpfSize;
import org.fibnuma.binding.bpf.XdpAction;
import org.fibnuma.binding.bpf.XdpContextLayout;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.Ipv4HeaderFlyweight;
import org.fibnuma.core.wire.UdpHeaderFlyweight;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import static org.fibnuma.binding.bpf.BpfRegister.R0;
import static org.fibnuma.binding.bpf.BpfRegister.R1;
import static org.fibnuma.binding.bpf.BpfRegister.R2;
import static org.fibnuma.binding.bpf.BpfRegister.R3;
import static org.fibnuma.binding.bpf.BpfRegister.R4;
import static org.fibnuma.binding.bpf.BpfRegister.R6;
import static org.fibnuma.binding.bpf.BpfRegister.R7;

/**
 * Writes the three headers of a frame from the first byte to the last, since a recycled frame holds whatever the last
 * receiver left in it, draws destination and source port, and redirects the frame to a device.
 */
final class TrafficProgram implements AutoCloseable
{
    private static final int TTL = 64;
    private static final int DISCARD_PORT = 9;
    private static final int IP_OFFSET = EthernetHeaderFlyweight.LENGTH;
    private static final int UDP_OFFSET = IP_OFFSET + Ipv4HeaderFlyweight.MIN_LENGTH;
    private static final int HEADERS_LENGTH = UDP_OFFSET + UdpHeaderFlyweight.LENGTH;
    private static final String TOO_SHORT = "too short";

    private final BpfMap destinations;
    private final BpfProgram program;
    private final byte[] frame;

    TrafficProgram(final TrafficProfile profile, final int ifindex)
    {
        this.frame = template(profile);
        this.destinations = destinationMap(profile.destinations());
        try
        {
            this.program = BpfProgram.loadXdp(assemble(profile, ifindex), "fibnuma_traffic");
        }
        catch (final RuntimeException ex)
        {
            destinations.close();
            throw ex;
        }
    }

    /** Sends frames, as fast as one core does, and returns when all are sent. */
    void send(final int count, final int batchSize)
    {
        program.testRunLive(frame, 0, count, batchSize);
    }

    /** What the program makes of one frame, without sending it. */
    byte[] sample()
    {
        return program.testRun(frame).frame();
    }

    private static byte[] template(final TrafficProfile profile)
    {
        final int ipLength = profile.frameSize() - IP_OFFSET;
        final ByteBuffer bytes = ByteBuffer.allocate(profile.frameSize());
        bytes.putLong(profile.destinationMac() << 16 | profile.sourceMac() >>> 32).putInt((int)profile.sourceMac())
            .putShort((short)EtherType.IPV4)
            .put((byte)Ipv4HeaderFlyweight.VERSION_4_IHL_5).put((byte)0).putShort((short)ipLength)
            .putInt(0)
            .put((byte)TTL).put((byte)IpProtocol.UDP).putShort((short)0)
            .putInt(profile.source()).putInt(0)
            .putShort((short)0).putShort((short)DISCARD_PORT)
            .putShort((short)(ipLength - Ipv4HeaderFlyweight.MIN_LENGTH)).putShort((short)0);
        return bytes.array();
    }

    private static BpfMap destinationMap(final int[] addresses)
    {
        final ByteBuffer values = ByteBuffer.allocate(addresses.length * Integer.BYTES);
        for (final int address : addresses)
        {
            values.putInt(address);
        }
        final BpfMap map = BpfMap.create(
            BpfMapType.ARRAY, Integer.BYTES, values.capacity(), 1, 0, "destinations");
        map.put(BpfMap.bytes(0), values.array());
        return map;
    }

    private byte[] assemble(final TrafficProfile profile, final int ifindex)
    {
        final BpfAssembler code = new BpfAssembler()
            .load(BpfSize.WORD, R6, R1, XdpContextLayout.DATA_OFFSET)
            .load(BpfSize.WORD, R2, R1, XdpContextLayout.DATA_END_OFFSET)
            .mov(R3, R6)
            .alu(BpfArithmetic.ADD, R3, HEADERS_LENGTH)
            .jumpIf(BpfCondition.ABOVE, R3, R2, TOO_SHORT);
        writeTemplate(code);
        drawDestination(code, profile.destinations().length);
        writeChecksum(code);
        return code
            .mov(R1, ifindex)
            .mov(R2, 0)
            .call(BpfHelper.REDIRECT)
            .exit()
            .label(TOO_SHORT)
            .mov(R0, XdpAction.DROP)
            .exit()
            .assemble();
    }

    private void writeTemplate(final BpfAssembler code)
    {
        final ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.nativeOrder());
        int offset = 0;
        for (; offset + Long.BYTES <= HEADERS_LENGTH; offset += Long.BYTES)
        {
            code.movLong(R1, bytes.getLong(offset)).store(BpfSize.DOUBLE, R6, offset, R1);
        }
        for (; offset < HEADERS_LENGTH; offset += Short.BYTES)
        {
            code.store(BpfSize.HALF, R6, offset, bytes.getShort(offset));
        }
    }

    /** Leaves the destination in R7, as it lies in memory. */
    private void drawDestination(final BpfAssembler code, final int count)
    {
        code.call(BpfHelper.GET_PRANDOM_U32)
            .store(BpfSize.HALF, R6, UDP_OFFSET + UdpHeaderFlyweight.SOURCE_PORT_OFFSET, R0)
            .alu(BpfArithmetic.RSH, R0, Short.SIZE)
            .alu(BpfArithmetic.AND, R0, count - 1)
            .alu(BpfArithmetic.LSH, R0, 2)
            .movMapValue(R2, destinations, 0)
            .alu(BpfArithmetic.ADD, R2, R0)
            .load(BpfSize.WORD, R7, R2, 0)
            .store(BpfSize.WORD, R6, IP_OFFSET + Ipv4HeaderFlyweight.DESTINATION_OFFSET, R7);
    }

    /** RFC 1071: the sum does not depend on byte order, so it is taken over the words as they lie in memory. */
    private void writeChecksum(final BpfAssembler code)
    {
        final ByteBuffer bytes = ByteBuffer.wrap(frame).order(ByteOrder.nativeOrder());
        int constantWords = 0;
        for (int offset = IP_OFFSET; offset < UDP_OFFSET; offset += Short.BYTES)
        {
            constantWords += bytes.getShort(offset) & 0xFFFF;
        }
        code.mov(R3, R7)
            .alu(BpfArithmetic.RSH, R3, Short.SIZE)
            .alu(BpfArithmetic.AND, R7, 0xFFFF)
            .alu(BpfArithmetic.ADD, R3, R7)
            .alu(BpfArithmetic.ADD, R3, constantWords);
        for (int fold = 0; fold < 2; fold++)
        {
            code.mov(R4, R3)
                .alu(BpfArithmetic.RSH, R4, Short.SIZE)
                .alu(BpfArithmetic.AND, R3, 0xFFFF)
                .alu(BpfArithmetic.ADD, R3, R4);
        }
        code.alu(BpfArithmetic.XOR, R3, 0xFFFF)
            .store(BpfSize.HALF, R6, IP_OFFSET + Ipv4HeaderFlyweight.CHECKSUM_OFFSET, R3);
    }

    @Override
    public void close()
    {
        program.close();
        destinations.close();
    }
}
