package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netdevice.EthtoolNotifications;
import org.fibnuma.binding.netdevice.InterfaceState;
import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.kernel.Transit;
import org.fibnuma.core.port.KernelEntry;
import org.fibnuma.core.port.KernelQueue;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.Reattachable;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.SharedInterface;
import org.fibnuma.core.port.TxQueue;
import org.fibnuma.core.wire.IpAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A port on a kernel interface, for its transit traffic. The XDP program is attached when the port is opened, so that
 * another attached program is detected before anything starts. It redirects frames after {@link #start()}.
 * <p>
 * The queues persist. Their {@link XdpAttachment} is replaced if the interface is deleted and created again.
 */
final class XdpPort implements Port, Reattachable, SharedInterface, KernelEntry
{
    private static final Logger LOGGER = LoggerFactory.getLogger(XdpPort.class);

    /** Longest time in ms until the kernel releases a queue after the end of its process. */
    private static final long BIND_PATIENCE_MS = 1000;
    /** Longest time in ms in which close waits for frames to be sent. */
    private static final long DRAIN_PATIENCE_MS = 50;

    /** Progress of attaching to the interface. */
    private enum Step
    {
        /** The port is attached. */
        TAKEN,
        /** The workers have to stop using the sockets. */
        LEAVING,
        /** Everything is closed; the workers have to return the chunks to their pools. */
        RECLAIMING,
        /** The port has no interface and waits for one of the name. */
        AWAY,
        /** The workers have to fill the FILL rings of new sockets. */
        FILLING
    }

    private final PortRequest request;
    private final XdpFailure failure;
    private final XdpRxQueue[] rxQueues;
    private final XdpTxQueue[] txQueues;
    private final XdpKernelQueue[] kernelQueues;
    private final InterfaceState state;
    private final EthtoolNotifications notifications;
    private final Set<IpAddress> localAddresses = new HashSet<>();
    /** VLANs by the identity of their VLAN tags. */
    private final Map<Long, Vlan> vlans = new HashMap<>();
    private final long[] counted = new long[PortCounter.values().length];
    private final boolean partialChecksums;
    /** Properties of the interface when it was attached, with its present link-layer address. */
    private volatile NetworkDevice device;
    private XdpAttachment attachment;
    private Step step = Step.AWAY;
    private long bindDeadlineNs;
    private volatile int unservedQueues;
    private boolean started;
    private volatile boolean detached;
    /** Whether the driver has zero-copy sockets, but no native program for them. */
    private boolean copyOnly;
    private volatile String fallback = "";
    private Transit ipv4 = Transit.ALL;
    private Transit ipv6 = Transit.ALL;
    /** Null for none. */
    private FlowTable flows;

    private XdpPort(final PortRequest request, final NetworkDevice device, final XdpFailure failure)
    {
        this.request = request;
        this.device = device;
        this.failure = failure;
        this.partialChecksums = device.deliversPartialChecksums();
        this.state = new InterfaceState(device.name());
        this.notifications = new EthtoolNotifications();
        this.rxQueues = new XdpRxQueue[request.queueCount()];
        this.txQueues = new XdpTxQueue[request.queueCount()];
        this.kernelQueues = new XdpKernelQueue[request.queueCount()];
        for (int i = 0; i < rxQueues.length; i++)
        {
            final FramePool pool = request.pools().get(i);
            final ChunksInKernel chunks = new ChunksInKernel(pool);
            txQueues[i] = new XdpTxQueue(pool, chunks);
            kernelQueues[i] = new XdpKernelQueue(pool);
            rxQueues[i] = new XdpRxQueue(
                pool, chunks, txQueues[i], kernelQueues[i], request.index(), request.settings().busyPollMicros() > 0);
        }
    }

    /**
     * Opens a port in the calling thread's network namespace. It is attached but without traffic.
     *
     * @throws UserException with one line for the user; nothing stays open.
     */
    static XdpPort open(final PortRequest request)
    {
        final XdpFailure failure = new XdpFailure(request);
        final NetworkDevice device = XdpRequirements.check(request, failure);
        final XdpPort port = new XdpPort(request, device, failure);
        try
        {
            port.step = port.open(device);
            while (port.step != Step.TAKEN)
            {
                // No worker runs yet.
                port.stepQueues();
                port.step = port.step == Step.FILLING ? port.bind() : port.open(device);
                LockSupport.parkNanos(port.step == Step.TAKEN ? 0 : TimeUnit.MILLISECONDS.toNanos(10));
            }
            port.stepQueues();
            return port;
        }
        catch (final RuntimeException ex)
        {
            port.close();
            throw ex;
        }
    }

    /**
     * Opens a started port that is detached, while the workers run, in the calling thread's network namespace. It has
     * no sockets and no program. The interface is checked but not changed, and the workers have the queues before
     * {@link #attach()}.
     *
     * @throws UserException with one line for the user; nothing stays open.
     */
    static XdpPort openDetached(final PortRequest request)
    {
        final XdpFailure failure = new XdpFailure(request);
        final XdpPort port = new XdpPort(request, XdpRequirements.check(request, failure), failure);
        port.started = true;
        port.detached = true;
        return port;
    }

    @Override
    public String name()
    {
        return request.name();
    }

    @Override
    public String device()
    {
        return XdpPortProvider.SCHEME + ":" + request.device();
    }

    @Override
    public String mode()
    {
        final XdpAttachment now = attachment;
        final String mode = now == null ? null : now.mode();
        return mode == null ? "no device" : txQueues[0].redirects() ? mode + ", bursts by redirect" : mode;
    }

    @Override
    public int interfaceIndex()
    {
        return device.index();
    }

    @Override
    public String interfaceName()
    {
        return request.device();
    }

    @Override
    public long macAddress()
    {
        return device.macAddress();
    }

    @Override
    public int mtu()
    {
        return device.mtu();
    }

    @Override
    public boolean deliversPartialChecksums()
    {
        return partialChecksums;
    }

    @Override
    public boolean linkUp()
    {
        return state.isRunning(device.index()) && !removed();
    }

    /** An interface that was renamed is not removed. A new interface of the same index is another one. */
    @Override
    public boolean removed()
    {
        return step != Step.TAKEN || detached || !state.exists(device.index()) || attachment.isInterfaceDeleted();
    }

    @Override
    public void detach()
    {
        if (!detached)
        {
            detached = true;
            if (step == Step.TAKEN)
            {
                // The kernel receives new frames from now on, so that the workers can empty the sockets.
                attachment.giveSockets(false);
            }
        }
    }

    @Override
    public void attach()
    {
        if (step == Step.TAKEN ? !state.exists(device.index()) : state.index() == 0)
        {
            throw failure.noInterface();
        }
        detached = false;
        if (started && step == Step.TAKEN)
        {
            takeTransit();
        }
    }

    @Override
    public boolean isDetached()
    {
        return detached;
    }

    @Override
    public boolean isAway()
    {
        return step == Step.AWAY;
    }

    @Override
    public boolean reattach()
    {
        Step before;
        do
        {
            before = step;
            step = next();
        }
        while (step != before);
        return step == Step.TAKEN && !removed();
    }

    @Override
    public boolean followAddress()
    {
        final long now = removed() ? 0 : state.macAddress(device.index());
        if (now == 0 || now == device.macAddress())
        {
            return false;
        }
        attachment.interfaces().macAddress(now);
        device = device.withMacAddress(now);
        return true;
    }

    @Override
    public String fallback()
    {
        return fallback;
    }

    @Override
    public int unservedQueues()
    {
        return unservedQueues;
    }

    @Override
    public boolean followSettings()
    {
        if (step != Step.TAKEN || !notifications.poll(device.index()))
        {
            return false;
        }
        try
        {
            if (attachment.settings().keepVlanTags())
            {
                LOGGER.warn("port {} ({}): removal of VLAN tags was switched on, with which tagged frames would be " +
                    "routed as untagged: it is off again", name(), device());
            }
        }
        catch (final UserException ex)
        {
            LOGGER.warn(ex.getMessage());
        }
        final int before = unservedQueues;
        unservedQueues = Math.max(0, attachment.settings().rxQueues() - rxQueues.length);
        return unservedQueues != before;
    }

    @Override
    public int queueCount()
    {
        return rxQueues.length;
    }

    @Override
    public RxQueue rxQueue(final int queue)
    {
        return rxQueues[queue];
    }

    @Override
    public TxQueue txQueue(final int queue)
    {
        return txQueues[queue];
    }

    @Override
    public KernelQueue kernelQueue(final int queue)
    {
        return kernelQueues[queue];
    }

    @Override
    public void start()
    {
        started = true;
        takeTransit();
    }

    @Override
    public void takeTransit(final Transit ipv4Transit, final Transit ipv6Transit)
    {
        final boolean changed = ipv4Transit != ipv4 || ipv6Transit != ipv6;
        ipv4 = ipv4Transit;
        ipv6 = ipv6Transit;
        if (changed && started && isTaken())
        {
            takeTransit();
        }
    }

    private void takeTransit()
    {
        attachment.interfaces().takeTransit(ipv4, ipv6);
        vlans.forEach((tags, vlan) ->
            attachment.interfaces().takeVlan(vlan.number, tags, vlan.macAddress, vlan.ipv4, vlan.ipv6));
        giveSockets();
    }

    @Override
    public String flows(final FlowTable now)
    {
        flows = now;
        for (final XdpRxQueue queue : rxQueues)
        {
            queue.readsFlowHints(now != null);
        }
        return step == Step.TAKEN ? attachment.flows(now) : "";
    }

    /** Returns whether the sockets may receive frames: not while the port is being detached. */
    private boolean isTaken()
    {
        return step == Step.TAKEN && !detached;
    }

    private void giveSockets()
    {
        attachment.interfaces().vlanCount(vlans.size());
        // Without any transit the kernel receives PAUSE and PFC frames, too.
        attachment.giveSockets(ipv4 != Transit.KERNEL || ipv6 != Transit.KERNEL && request.filter().ipv6() ||
            vlans.values().stream().anyMatch(vlan -> vlan.ipv4 != Transit.KERNEL || vlan.ipv6 != Transit.KERNEL));
    }

    @Override
    public void takeVlan(
        final int number,
        final long tags,
        final long macAddress,
        final Transit ipv4Transit,
        final Transit ipv6Transit)
    {
        final Vlan now = new Vlan(number, macAddress, ipv4Transit, ipv6Transit);
        final boolean changed = !now.equals(vlans.put(tags, now));
        if (changed && started && isTaken())
        {
            attachment.interfaces().takeVlan(number, tags, macAddress, ipv4Transit, ipv6Transit);
            giveSockets();
        }
    }

    @Override
    public void leaveVlan(final long tags)
    {
        if (vlans.remove(tags) != null && started && isTaken())
        {
            attachment.interfaces().leaveVlan(tags);
            giveSockets();
        }
    }

    /** Transit of a VLAN that the port receives. */
    private record Vlan(int number, long macAddress, Transit ipv4, Transit ipv6)
    {
    }

    @Override
    public void localAddress(final IpAddress address, final boolean local)
    {
        if (local)
        {
            localAddresses.add(address);
        }
        else
        {
            localAddresses.remove(address);
        }
        if (step == Step.TAKEN)
        {
            attachment.program().localAddress(address, local);
        }
    }

    @Override
    public long deviceCounter(final PortCounter counter)
    {
        if (counter == PortCounter.RX_TRUNCATED)
        {
            return Arrays.stream(rxQueues).mapToLong(XdpRxQueue::truncated).sum();
        }
        final long lostPunts = counter == PortCounter.TX_INVALID ?
            Arrays.stream(kernelQueues).mapToLong(XdpKernelQueue::lost).sum() : 0;
        return lostPunts + counted[counter.ordinal()] + (attachment == null ? 0 : attachment.counter(counter));
    }

    @Override
    public void close()
    {
        drain();
        if (attachment != null)
        {
            closeAttachment();
        }
        stepQueues();
        state.close();
        notifications.close();
    }

    /** Returns the next step, or the current one if the workers have to act first. */
    private Step next()
    {
        return switch (step)
        {
            case TAKEN -> queuesAre(SocketExchange.Phase.IN_USE) && removed() ? leave() : Step.TAKEN;
            case LEAVING -> queuesAre(SocketExchange.Phase.IDLE) ? closeUsed() : Step.LEAVING;
            case RECLAIMING -> queuesAre(SocketExchange.Phase.EMPTY) ? Step.AWAY : Step.RECLAIMING;
            case AWAY -> detached || state.index() == 0 ? Step.AWAY : openAgain();
            case FILLING -> queuesAre(SocketExchange.Phase.FILLED) ? bindAgain() : Step.FILLING;
        };
    }

    private Step leave()
    {
        copyOnly = false;
        setPhase(SocketExchange.Phase.STOP);
        return Step.LEAVING;
    }

    private Step closeUsed()
    {
        for (final XdpTxQueue queue : txQueues)
        {
            counted[PortCounter.TX_INVALID.ordinal()] += queue.lost();
        }
        return closeAttachment();
    }

    private Step closeAttachment()
    {
        for (final PortCounter counter : PortCounter.values())
        {
            counted[counter.ordinal()] += attachment.counter(counter);
        }
        attachment.close();
        attachment = null;
        setPhase(SocketExchange.Phase.CLOSED);
        return Step.RECLAIMING;
    }

    private Step openAgain()
    {
        try
        {
            final NetworkDevice found = XdpRequirements.device(request, failure);
            if (found != null && found.deliversPartialChecksums() && !partialChecksums)
            {
                throw failure.of("now has the driver " + found.driver() + ", whose frames may have unfinished " +
                    "checksums, unlike those of the previous interface: restart the router");
            }
            return found == null ? Step.AWAY : open(found);
        }
        catch (final SystemCallException ex)
        {
            return onRefusal(Step.AWAY, 0, failure.of(ex.getMessage()));
        }
    }

    private Step open(final NetworkDevice found)
    {
        attachment = AllOrNothing.open(
            new XdpAttachment(request, found, request.settings().allowZeroCopy() && !copyOnly, failure),
            XdpAttachment::openSockets);
        for (int i = 0; i < rxQueues.length; i++)
        {
            rxQueues[i].open(attachment.socket(i));
        }
        bindDeadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BIND_PATIENCE_MS);
        return Step.FILLING;
    }

    private Step bindAgain()
    {
        final int index = attachment.device().index();
        try
        {
            return bind();
        }
        catch (final UserException ex)
        {
            return onRefusal(closeAttachment(), index, ex);
        }
        catch (final SystemCallException ex)
        {
            return onRefusal(closeAttachment(), index, failure.of(ex.getMessage()));
        }
    }

    /** Ignores a refusal if the interface was removed meanwhile. */
    private Step onRefusal(final Step next, final int index, final UserException refusal)
    {
        step = next;
        if (state.index() == 0 || index != 0 && state.index() != index)
        {
            return next;
        }
        throw refusal;
    }

    private Step bind()
    {
        if (!attachment.bind(System.nanoTime() < bindDeadlineNs))
        {
            return Step.FILLING;
        }
        if (!attachment.attach(localAddresses))
        {
            copyOnly = true;
            return closeAttachment();
        }
        checkReceiveBuffer();
        fallback = fallback(attachment);
        warnOfPunts();
        if (flows != null)
        {
            attachment.flows(flows);
        }
        if (started)
        {
            takeTransit();
        }
        for (int i = 0; i < txQueues.length; i++)
        {
            txQueues[i].open(attachment.socket(i), attachment.bursts(i));
            kernelQueues[i].open(attachment.punts(i));
        }
        device = attachment.device();
        unservedQueues = 0;
        setPhase(SocketExchange.Phase.READY);
        return Step.TAKEN;
    }

    private void warnOfPunts()
    {
        final String refusal = attachment.puntRefusal();
        if (!refusal.isEmpty())
        {
            LOGGER.warn("port {} ({}): punted frames enter the kernel by another interface, so its rules for {} do " +
                "not apply to them: {}", name(), device(), request.device(), refusal);
        }
    }

    private String fallback(final XdpAttachment now)
    {
        final String zeroCopy = now.zeroCopyRefusal().isEmpty() ? "" : "no zero-copy: " + now.zeroCopyRefusal();
        return now.nativeRefusal().isEmpty() ? zeroCopy :
            (zeroCopy.isEmpty() ? "" : zeroCopy + "; ") + "no native program: " + now.nativeRefusal() +
            (copyOnly ? ", without which zero-copy is not used" : "");
    }

    private void checkReceiveBuffer()
    {
        final int chunkSize = request.pools().get(0).chunkSize();
        final int longest = ReceiveBuffer.longestFrame(attachment.device().driver(), chunkSize);
        final boolean zeroCopy = attachment.socket(0).isZeroCopy();
        if (zeroCopy && longest < ReceiveBuffer.neededFor(attachment.device().mtu()))
        {
            throw failure.shortBuffer(attachment.device(), longest, chunkSize);
        }
        for (final XdpRxQueue queue : rxQueues)
        {
            queue.longestFrame(zeroCopy ? longest : Integer.MAX_VALUE);
        }
    }

    private boolean queuesAre(final SocketExchange.Phase phase)
    {
        for (final XdpRxQueue queue : rxQueues)
        {
            if (queue.exchange().phase() != phase)
            {
                return false;
            }
        }
        return true;
    }

    private void setPhase(final SocketExchange.Phase phase)
    {
        for (final XdpRxQueue queue : rxQueues)
        {
            queue.exchange().phase(phase);
        }
    }

    /** Takes the workers' steps while no worker runs. */
    private void stepQueues()
    {
        for (final XdpRxQueue queue : rxQueues)
        {
            queue.step();
        }
    }

    private void drain()
    {
        final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DRAIN_PATIENCE_MS);
        for (final XdpTxQueue queue : txQueues)
        {
            while (queue.held() > 0 && System.nanoTime() < deadline)
            {
                queue.transmit();
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
            }
        }
    }
}
