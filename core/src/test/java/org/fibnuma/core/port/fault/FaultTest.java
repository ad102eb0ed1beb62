package org.fibnuma.core.port.fault;

import org.fibnuma.core.UserException;
import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.memory.MemoryRegion;
import org.fibnuma.core.port.DirectLink;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.PortSettings;
import org.fibnuma.core.port.Ports;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FaultTest
{
    private static final int CHUNK_SIZE = 2048;
    private static final int POOL_SIZE = 4096;
    private static final int FRAMES = 20_000;
    private static final int LENGTH = 60;
    /** Longer than reordered frames are held. */
    private static final long QUIET_NS = 5_000_000;

    private final MemoryRegion region = MemoryRegion.ofChunks(2 * POOL_SIZE, CHUNK_SIZE);
    private final FramePool nearPool = new FramePool(region, CHUNK_SIZE, 0, POOL_SIZE);
    private final FramePool farPool = new FramePool(region, CHUNK_SIZE, POOL_SIZE, POOL_SIZE);
    private FaultPort faulty;

    @AfterEach
    void freeRegion()
    {
        region.close();
    }

    @Test
    void shouldMeetTheSharesOnReceive()
    {
        final List<Integer> received = carry("fault:loss=10,dup=5,reorder=3,corrupt=2,seed=7,on=rx/mem:faults");

        assertShare(0.10, faulty.received(Fault.LOSS));
        assertShare(0.05, faulty.received(Fault.DUPLICATION));
        assertShare(0.03, faulty.received(Fault.REORDERING));
        assertShare(0.02, faulty.received(Fault.CORRUPTION));
        assertEquals(
            FRAMES - faulty.received(Fault.LOSS) + faulty.received(Fault.DUPLICATION), received.size());
        assertEquals(faulty.received(Fault.LOSS), faulty.deviceCounter(PortCounter.RX_DROPPED));
        assertEquals(0, faulty.transmitted(Fault.LOSS));
        assertNotEquals(received.stream().sorted().toList(), received);
    }

    @Test
    void shouldMeetTheSharesOnTransmit()
    {
        final List<Integer> received = carry("fault:loss=50,seed=7,on=tx/mem:faults@far");
        assertShare(0.5, faulty.transmitted(Fault.LOSS));
        assertEquals(FRAMES - faulty.transmitted(Fault.LOSS), received.size());
    }

    /** Records of a {@link DirectLink} would pass without faults. */
    @Test
    void shouldHideTheDirectLinkOfThePortBehindIt()
    {
        final String link = "shm:fault-test-" + ProcessHandle.current().pid();
        try (Port plain = open(link, nearPool);
            Port faults = open("fault:loss=1,seed=7/" + link + "@far", farPool))
        {
            assertTrue(plain.capability(DirectLink.class).isPresent());
            assertTrue(faults.capability(DirectLink.class).isEmpty());
        }
    }

    @Test
    void shouldDecideBySeed()
    {
        final List<Integer> first = carry("fault:loss=10,dup=10,corrupt=10,seed=7,on=rx/mem:faults");
        assertEquals(first, carry("fault:loss=10,dup=10,corrupt=10,seed=7,on=rx/mem:faults"));
        assertNotEquals(first, carry("fault:loss=10,dup=10,corrupt=10,seed=8,on=rx/mem:faults"));
    }

    @Test
    void shouldSayWhatItDoes()
    {
        carry("fault:loss=0.5,corrupt=2/mem:faults");
        assertEquals("memory, loss 0.5%, corrupt 2.0%", faulty.mode());
        assertEquals("fault:loss=0.5,corrupt=2/mem:faults", faulty.device());
    }

    @Test
    void shouldRefuseAWrongDescriptionInOneLine()
    {
        assertRefused("fault:loss=1", "names no device");
        assertRefused("fault:loss=101/mem:x", "\"loss=101\" is wrong: give a number from 0 to 100 after the =");
        assertRefused("fault:loss/mem:x", "\"loss\" is wrong: give a number from 0 to 100");
        assertRefused(
            "fault:los=1/mem:x", "unknown fault \"los\"; known: loss, dup, reorder, corrupt (percent), delay-us");
        assertRefused("fault:seed=x/mem:x", "\"seed=x\" is wrong: give an integer");
        assertRefused("fault:on=up/mem:x", "\"on=up\" is wrong: give rx, tx or both");
        assertRefused("fault:loss=1/nothing:x", "unknown device \"nothing:x\"");
        assertRefused("fault:loss=1,/mem:x", "unknown fault \"\"");
    }

    @Test
    void shouldNameTheDeviceBehind()
    {
        assertEquals("xdp:a", FaultPortProvider.underlying("fault:loss=1/fault:/xdp:a"));
        assertEquals("pcap:/tmp/x", FaultPortProvider.underlying("pcap:/tmp/x"));
    }

    /** Sends frames from the far to the near end, one of which has faults; every frame contains its number twice. */
    private List<Integer> carry(final String faultyDevice)
    {
        final boolean isFarFaulty = faultyDevice.endsWith("@far");
        final Port near = open(isFarFaulty ? "mem:faults" : faultyDevice, nearPool);
        final Port far = open(isFarFaulty ? faultyDevice : "mem:faults@far", farPool);
        faulty = (FaultPort)(isFarFaulty ? far : near);
        near.start();
        far.start();
        final List<Integer> received = new ArrayList<>();
        final FrameBatch batch = new FrameBatch();
        long quietSince = 0;
        boolean isQuiet = false;
        for (int sent = 0; sent < FRAMES || !isQuiet;)
        {
            final long chunk = sent < FRAMES ? farPool.allocate() : FramePool.NONE;
            if (chunk != FramePool.NONE)
            {
                final long address = chunk + FramePool.HEADROOM;
                FrameMemory.zero(address, LENGTH);
                FrameMemory.putInt(address + 20, sent);
                if (far.txQueue(0).offer(chunk, address, LENGTH))
                {
                    sent++;
                }
                else
                {
                    farPool.release(chunk);
                }
            }
            far.txQueue(0).flush();
            batch.clear();
            // Before the receive: a thread that did not run for some time asks once more for frames that were held.
            final long now = System.nanoTime();
            near.rxQueue(0).receive(batch);
            for (int i = 0; i < batch.size(); i++)
            {
                received.add(FrameMemory.getInt(batch.address(i) + 20));
                nearPool.release(batch.handle(i));
            }
            quietSince = sent < FRAMES || batch.size() > 0 || quietSince == 0 ? now : quietSince;
            isQuiet = now - quietSince > QUIET_NS;
        }
        far.txQueue(0).flush();
        near.close();
        far.close();
        assertEquals(2 * POOL_SIZE, nearPool.available() + farPool.available());
        return received;
    }

    private static Port open(final String device, final FramePool pool)
    {
        return Ports.open(new PortRequest("p", device, 0, List.of(pool), PortSettings.DEFAULT));
    }

    private static void assertShare(final double share, final long count)
    {
        // Five standard deviations of a binomial distribution.
        final double tolerance = 5 * Math.sqrt(FRAMES * share * (1 - share));
        assertTrue(Math.abs(count - share * FRAMES) < tolerance, count + " of " + FRAMES);
    }

    private void assertRefused(final String device, final String reason)
    {
        final UserException refused = assertThrows(UserException.class, () -> open(device, nearPool));
        assertTrue(refused.getMessage().startsWith("port p: "), refused.getMessage());
        assertTrue(refused.getMessage().contains(reason), refused.getMessage());
        assertEquals(1, Arrays.stream(refused.getMessage().split("\n")).count());
    }
}
