package org.fibnuma.bench.pfc;

import org.fibnuma.core.frame.FrameBatch;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.memory.FrameMemory;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.wire.EtherType;
import org.fibnuma.core.wire.EthernetHeaderFlyweight;
import org.fibnuma.core.wire.VlanTag;
import org.fibnuma.pfc.wire.MacControl;
import org.fibnuma.pfc.wire.PauseFrameFlyweight;
import org.fibnuma.pfc.wire.PfcFrameFlyweight;

/** The far end of the router's egress: counts frames by priority and stops priorities when it is told to. */
final class PausingSink
{
    private static final int TRAFFIC_CLASS_OFFSET = EthernetHeaderFlyweight.LENGTH + 1;
    private static final int PRIORITY_SHIFT = 5;

    private final HostPort host;
    private final long mac;
    private final FrameBatch batch = new FrameBatch();
    private final EthernetHeaderFlyweight ethernet = new EthernetHeaderFlyweight();
    private final PfcFrameFlyweight pfc = new PfcFrameFlyweight();
    private final PauseFrameFlyweight pause = new PauseFrameFlyweight();
    private final long[] received = new long[MacControl.PRIORITIES];
    private final long[] tagged = new long[MacControl.PRIORITIES];
    private long pauses;
    private long resumes;

    PausingSink(final HostPort host, final long mac)
    {
        this.host = host;
        this.mac = mac;
    }

    int receive()
    {
        batch.clear();
        host.port().rxQueue(0).receive(batch);
        for (int i = 0; i < batch.size(); i++)
        {
            final long frame = batch.address(i);
            final int etherType = ethernet.wrap(frame).etherType();
            if (etherType == EtherType.IPV4)
            {
                received[(FrameMemory.getByte(frame + TRAFFIC_CLASS_OFFSET) & 0xFF) >> PRIORITY_SHIFT]++;
            }
            else if (etherType == EtherType.VLAN)
            {
                tagged[FrameMemory.getShortBE(frame + VlanTag.CONTROL_OFFSET) >>> VlanTag.PCP_SHIFT]++;
            }
            host.pool().release(batch.handle(i));
        }
        host.port().txQueue(0).flush();
        return batch.size();
    }

    void pause(final int priority, final int quanta)
    {
        pauseAll(1 << priority, quanta);
    }

    /** Sends a PFC frame with the same time for all priorities of a vector, bit n for priority n. */
    void pauseAll(final int priorities, final int quanta)
    {
        final long chunk = host.pool().allocate();
        pfc.wrap(chunk + FramePool.HEADROOM).compose(mac);
        for (int rest = priorities; rest != 0; rest &= rest - 1)
        {
            pfc.pause(Integer.numberOfTrailingZeros(rest), quanta);
        }
        send(chunk, quanta);
    }

    /** Sends a PAUSE frame of IEEE 802.3, which has no vector. */
    void pauseLink(final int quanta)
    {
        final long chunk = host.pool().allocate();
        pause.wrap(chunk + FramePool.HEADROOM).compose(mac, quanta);
        send(chunk, quanta);
    }

    private void send(final long chunk, final int quanta)
    {
        if (!host.port().txQueue(0).offer(chunk, chunk + FramePool.HEADROOM, MacControl.FRAME_LENGTH))
        {
            host.pool().release(chunk);
            return;
        }
        host.port().txQueue(0).flush();
        pauses += quanta == 0 ? 0 : 1;
        resumes += quanta == 0 ? 1 : 0;
    }

    long received(final int priority)
    {
        return received[priority];
    }

    long tagged(final int priority)
    {
        return tagged[priority];
    }

    long pauses()
    {
        return pauses;
    }

    long resumes()
    {
        return resumes;
    }
}
