package org.fibnuma.binding.dpdk;

import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.ConfigurableDevice;
import org.fibnuma.core.port.FlowControlAnswer;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sends frames through a port, and checks its properties and settings. */
class DpdkPortTest
{
    @TempDir
    private Path directory;

    private final DpdkTestRig rig = new DpdkTestRig();
    private final FrameBatch batch = new FrameBatch();

    @BeforeEach
    void requireDpdk()
    {
        RequireDpdk.libraries();
    }

    @AfterEach
    void close()
    {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {2048, 4096, 2368, 4416})
    void shouldSendReceivedFramesWhereTheyLie(final int chunkSize) throws IOException
    {
        rig.allocate(chunkSize, 1);
        final List<byte[]> frames = PcapFile.frames(60, 1514, 61, 777);
        final Path received = PcapFile.write(directory.resolve("in.pcap"), frames);
        final Path sent = directory.resolve("out.pcap");
        final Port in = rig.open("dpdk:net_pcap0,rx_pcap=" + received + ",tx_pcap=" + sent);
        in.start();
        assertEquals(frames.size(), in.rxQueue(0).receive(batch));
        for (int i = 0; i < batch.size(); i++)
        {
            final long first = rig.address() + (batch.handle(i) - rig.address()) / chunkSize * chunkSize;
            assertEquals(first, batch.handle(i), "the handle is the chunk");
            assertEquals(first, rig.pool(0).handleOf(batch.address(i)));
            assertEquals(frames.get(i).length, batch.length(i));
            FrameMemory.putByte(batch.address(i), 0x42);
        }
        batch.length(3, 700);
        assertEquals(batch.size(), in.txQueue(0).offer(batch, 0, batch.size()));
        in.txQueue(0).flush();
        rig.assertNothingLost();

        final List<byte[]> written = PcapFile.read(sent);
        assertEquals(frames.size(), written.size());
        for (int i = 0; i < frames.size(); i++)
        {
            final byte[] expected = Arrays.copyOf(frames.get(i), i == 3 ? 700 : frames.get(i).length);
            expected[0] = 0x42;
            assertArrayEquals(expected, written.get(i), "frame " + i);
        }
    }

    @Test
    void shouldCountAndFreeWhatDoesNotFitOneBuffer() throws IOException
    {
        rig.allocate(2048, 1);
        final Port port = rig.open("dpdk:net_pcap0,rx_pcap=" +
            PcapFile.write(directory.resolve("in.pcap"), PcapFile.frames(60, 3000, 1729, 9000, 90)));
        port.start();

        assertEquals(2, port.rxQueue(0).receive(batch));

        assertEquals(60, batch.length(0));
        assertEquals(90, batch.length(1));
        assertEquals(3, port.deviceCounter(PortCounter.RX_DROPPED));
        rig.release(batch);
        rig.assertNothingLost();
    }

    @Test
    void shouldTakeAnMtuThatFitsAndRefuseOneThatDoesNot()
    {
        rig.allocate(2048, 1);
        final Port port = rig.open("dpdk:net_ring0");
        port.start();
        final ConfigurableDevice device = port.capability(ConfigurableDevice.class).orElseThrow();
        device.adopt(0x0200_0000_0042L, port.mtu());
        final int mtu = port.mtu();
        device.adopt(port.macAddress(), mtu - 100);
        final UserException refusal = assertThrows(UserException.class, () -> device.adopt(port.macAddress(), 9000));
        assertTrue(refusal.getMessage().contains("an MTU of 9000 does not fit its frames"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("frame-size = 4096"), refusal.getMessage());
    }

    @Test
    void shouldSayThatAVirtualDeviceDoesNoFlowControl()
    {
        rig.allocate(2048, 1);
        final Port port = rig.open("dpdk:net_null0");
        port.start();
        final FlowControlAnswer refusal =
            FlowControlAnswer.notPossible("net_null0 cannot do flow control: Operation not supported");
        final ConfigurableDevice device = port.capability(ConfigurableDevice.class).orElseThrow();
        assertEquals(refusal, device.enableFlowControl(1 << 3));
        assertEquals(refusal, device.enableFlowControl(0));
        assertFalse(device.isFlowControlEnabled());
    }
}
