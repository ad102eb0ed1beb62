package org.fibnuma.bench.traffic;

import org.fibnuma.bench.lab.Host;
import org.fibnuma.binding.bpf.BpfAssembler;
import org.fibnuma.binding.bpf.BpfLink;
import org.fibnuma.binding.bpf.BpfProgram;
import org.fibnuma.binding.bpf.BpfRegister;
import org.fibnuma.binding.bpf.XdpAction;
import org.fibnuma.binding.bpf.XdpMode;
import org.fibnuma.binding.libc.LibC;
import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.Require;
import org.fibnuma.core.agent.ThreadPinning;
import org.fibnuma.core.wire.MacAddress;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TrafficGeneratorSystemTest
{
    private static final long DESTINATION_MAC = MacAddress.parse("02:00:00:00:00:0a");
    private static final long SOURCE_MAC = MacAddress.parse("02:00:00:00:00:0b");
    private static final int[] DESTINATIONS = {0xC6120001, 0xC612FFFF, 0x08080808, 0xFFFFFFFF};
    private static final int SIZE = 100;

    private final TrafficProfile profile =
        new TrafficProfile(DESTINATION_MAC, SOURCE_MAC, 0x0A000002, DESTINATIONS, SIZE);

    @BeforeEach
    void needsRoot()
    {
        Require.root();
    }

    @Test
    void shouldWriteWholeHeadersWithRightChecksums()
    {
        final Set<Integer> seen = new HashSet<>();
        try (TrafficProgram program = new TrafficProgram(profile, 1))
        {
            for (int i = 0; i < 200; i++)
            {
                final ByteBuffer frame = ByteBuffer.wrap(program.sample());
                assertEquals(SIZE, frame.limit());
                assertEquals(0x02000000000a0200L, frame.getLong(0));
                assertEquals(0x0000000b, frame.getInt(8));
                assertEquals(0x0800, frame.getShort(12));
                assertEquals(0x4500_0000 | SIZE - 14, frame.getInt(14));
                assertEquals(64, frame.get(22));
                assertEquals(17, frame.get(23));
                assertEquals(0x0A000002, frame.getInt(26));
                assertEquals(SIZE - 34, frame.getShort(38));
                assertEquals(0xFFFF, sum(frame, 14, 34));
                seen.add(frame.getInt(30));
            }
        }
        assertEquals(Set.of(0xC6120001, 0xC612FFFF, 0x08080808, 0xFFFFFFFF), seen);
    }

    /** RFC 1071 section 4.1, over a header with its checksum: all ones. */
    private static int sum(final ByteBuffer frame, final int from, final int to)
    {
        int sum = 0;
        for (int i = from; i < to; i += 2)
        {
            sum += frame.getShort(i) & 0xFFFF;
        }
        return (sum >>> 16) + (sum & 0xFFFF);
    }

    @Test
    void shouldSendUntilClosed() throws InterruptedException
    {
        try (Host sender = Host.open("sender"); Host receiver = Host.open("receiver"))
        {
            sender.connect("s0", receiver, "t0", 1500);
            try (BpfLink link = NetworkNamespace.call(receiver.namespaceFile(), this::dropEverything))
            {
                final TrafficGenerator generator = TrafficGenerator.start(
                    sender.namespaceFile(), "s0", profile, ThreadPinning.ANY_CORE);
                Thread.sleep(200);
                generator.close();
                final long received = receiver.receivedFrames("t0");
                assertTrue(received > 10_000, "frames " + received + " through " + link);
                assertTrue(generator.sent() >= received);
                Thread.sleep(50);
                assertEquals(received, receiver.receivedFrames("t0"));
            }
        }
    }

    private BpfLink dropEverything()
    {
        try (BpfProgram program = BpfProgram.loadXdp(
            new BpfAssembler().mov(BpfRegister.R0, XdpAction.DROP).exit().assemble(), "drop"))
        {
            return BpfLink.attachXdp(program, LibC.get().if_nametoindex("t0"), XdpMode.NATIVE);
        }
    }

    @Test
    void shouldRefuseProfilesThatItCannotSend()
    {
        assertThrows(IllegalArgumentException.class, () -> new TrafficProfile(1, 2, 3, new int[3], SIZE));
        assertThrows(IllegalArgumentException.class, () -> new TrafficProfile(1, 2, 3, new int[4], 59));
        assertThrows(IllegalArgumentException.class, () -> new TrafficProfile(1, 2, 3, new int[4], 1515));
    }
}
