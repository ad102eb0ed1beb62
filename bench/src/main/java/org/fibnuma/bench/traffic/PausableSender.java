package org.fibnuma.bench.traffic;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.core.wire.UdpHeaderFlyweight;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.pfc.priority.PausedTime;
import org.fibnuma.pfc.wire.MacControl;
import org.fibnuma.pfc.wire.PauseFrameFlyweight;
import org.fibnuma.pfc.wire.PfcFrameFlyweight;

import java.util.function.Consumer;

/**
 * Sends UDP of several priorities, each at a steady rate, and obeys or ignores the PAUSE and PFC frames that it
 * receives. Like an application that blocks, it does not make up for paused time beyond one burst. The priority is the
 * class selector in the DSCP. All methods are called on the thread that uses the port.
 */
public final class PausableSender
{
    private static final int TTL = 64;
    private static final int DISCARD_PORT = 9;
    private static final int PRIORITY_SHIFT = 5;
    /** Largest number of frames of one priority in a row; it is small so that a pause takes effect soon. */
    private static final int BURST = 16;

    private final Port port;
    private final FramePool pool;
    private final HostFrames frames;
    private final int destination;
    private final PausedTime pauses;
    private final boolean obeys;
    private final Consumer<byte[]> observer;
    private final double[] framesPerNano = new double[MacControl.PRIORITIES];
    private final double[] credit = new double[MacControl.PRIORITIES];
    private final long[] sent = new long[MacControl.PRIORITIES];
    private final FrameBatch received = new FrameBatch();
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final PauseFrameFlyweight pause = new PauseFrameFlyweight();
    private final PfcFrameFlyweight pfc = new PfcFrameFlyweight();
    private final UdpHeaderFlyweight udp = new UdpHeaderFlyweight();
    private boolean isTagging;
    private long delivered;
    private long lastNs;
    private boolean isStarted;

    /**
     * Creates a sender that has no stream.
     *
     * @param port          started port that receives MAC control frames.
     * @param pool          frame pool of the port's queue 0.
     * @param frames        writes the headers.
     * @param destination   IPv4 address of all packets.
     * @param bitsPerSecond rate of the link; the duration of a pause quantum depends on it.
     * @param obeys         whether received pauses are obeyed.
     * @param observer      is called with every received MAC control frame.
     */
    public PausableSender(
        final Port port,
        final FramePool pool,
        final HostFrames frames,
        final int destination,
        final long bitsPerSecond,
        final boolean obeys,
        final Consumer<byte[]> observer)
    {
        this.port = port;
        this.pool = pool;
        this.frames = frames;
        this.destination = destination;
        this.pauses = new PausedTime(bitsPerSecond);
        this.obeys = obeys;
        this.observer = observer;
    }

    /**
     * Sets the rate of a priority from now on.
     *
     * @param priority      0 to 7.
     * @param bitsPerSecond rate of the frames without preamble and FCS; 0 ends the stream.
     * @return this.
     */
    public PausableSender stream(final int priority, final double bitsPerSecond)
    {
        framesPerNano[priority] = bitsPerSecond / 1e9 / (Byte.SIZE * frames.frameLength());
        return this;
    }

    /**
     * Marks the priority in a priority tag (IEEE 802.1Q, VLAN 0) from now on, and sets the same DSCP in all frames.
     *
     * @return this.
     */
    public PausableSender byTag()
    {
        isTagging = true;
        return this;
    }

    /**
     * Returns the number of frames sent so far.
     *
     * @param priority 0 to 7.
     * @return the count.
     */
    public long sent(final int priority)
    {
        return sent[priority];
    }

    /** Returns the number of received frames other than MAC control frames. */
    public long delivered()
    {
        return delivered;
    }

    /**
     * Runs one duty cycle: reads received pauses, then sends the frames that are due.
     *
     * @param nowNs monotonic time.
     * @return frames received and sent.
     */
    public int doWork(final long nowNs)
    {
        int work = receive(nowNs);
        final int stopped = obeys ? pauses.stopped(nowNs) : 0;
        final double elapsed = isStarted ? nowNs - lastNs : 0;
        isStarted = true;
        lastNs = nowNs;
        for (int priority = 0; priority < MacControl.PRIORITIES; priority++)
        {
            credit[priority] = Math.min(BURST, credit[priority] + elapsed * framesPerNano[priority]);
            if ((stopped & 1 << priority) == 0)
            {
                work += send(priority);
            }
        }
        port.txQueue(0).flush();
        return work;
    }

    private int receive(final long nowNs)
    {
        received.clear();
        port.rxQueue(0).receive(received);
        for (int i = 0; i < received.size(); i++)
        {
            final long frame = received.address(i);
            if (ethernet.wrap(frame).etherType() != EtherType.MAC_CONTROL)
            {
                delivered++;
            }
            else if (received.length(i) >= MacControl.FRAME_LENGTH)
            {
                obey(frame, nowNs);
                final byte[] bytes = new byte[received.length(i)];
                FrameMemory.getBytes(frame, bytes);
                observer.accept(bytes);
            }
            pool.release(received.handle(i));
        }
        return received.size();
    }

    private void obey(final long frame, final long nowNs)
    {
        final int opcode = pfc.wrap(frame).opcode();
        final int named = opcode == MacControl.OPCODE_PFC ? pfc.classEnable() :
            opcode == MacControl.OPCODE_PAUSE ? (1 << MacControl.PRIORITIES) - 1 : 0;
        for (int priority = 0; priority < MacControl.PRIORITIES; priority++)
        {
            if ((named & 1 << priority) != 0)
            {
                pauses.onPause(
                    priority,
                    opcode == MacControl.OPCODE_PFC ? pfc.quanta(priority) : pause.wrap(frame).quanta(),
                    nowNs);
            }
        }
    }

    private int send(final int priority)
    {
        int count = 0;
        frames.trafficClass(isTagging ? 0 : priority << PRIORITY_SHIFT);
        while (credit[priority] >= 1)
        {
            final long chunk = pool.allocate();
            if (chunk == FramePool.NONE)
            {
                break;
            }
            final long frame = chunk + FramePool.HEADROOM;
            frames.write(frame, destination, IpProtocol.UDP, TTL);
            udp.wrap(frame + HostFrames.PAYLOAD_OFFSET)
                .ports(priority, DISCARD_PORT)
                .lengthWithoutChecksum(frames.frameLength() - HostFrames.PAYLOAD_OFFSET);
            final boolean isTaken = isTagging ?
                port.txQueue(0).offer(chunk, tag(frame, priority), frames.frameLength() + VlanTag.LENGTH) :
                port.txQueue(0).offer(chunk, frame, frames.frameLength());
            if (!isTaken)
            {
                pool.release(chunk);
                break;
            }
            credit[priority]--;
            sent[priority]++;
            count++;
        }
        return count;
    }

    /** Inserts a priority tag after the MAC addresses, which move towards the start of the chunk. */
    private static long tag(final long frame, final int priority)
    {
        final long tagged = frame - VlanTag.LENGTH;
        FrameMemory.copy(frame, tagged, EthernetHeaderFlyweight.ETHER_TYPE_OFFSET);
        FrameMemory.putShortBE(tagged + EthernetHeaderFlyweight.ETHER_TYPE_OFFSET, EtherType.VLAN);
        FrameMemory.putShortBE(tagged + VlanTag.CONTROL_OFFSET, priority << VlanTag.PCP_SHIFT);
        return tagged;
    }
}
