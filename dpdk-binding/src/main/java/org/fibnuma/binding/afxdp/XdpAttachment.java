package org.fibnuma.binding.afxdp;

import org.agrona.CloseHelper;
import org.fibnuma.binding.bpf.BpfLink;
import org.fibnuma.binding.bpf.BpfLiveRun;
import org.fibnuma.binding.bpf.XdpMode;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.binding.netdevice.XdpFeatures;
import org.fibnuma.core.UserException;
import org.fibnuma.core.flow.FlowTable;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.wire.IpAddress;

import java.util.Arrays;
import java.util.Set;

/**
 * A port's resources on one interface: sockets, the attached program, deferred interrupts. It exists as long as the
 * interface; the port makes a new one for the next interface of the name. Control thread; the port's queues use the
 * rings of the sockets.
 */
final class XdpAttachment implements AutoCloseable
{
    private static final String VIRTUAL_PAIR = "veth";

    private final PortRequest request;
    private final NetworkDevice device;
    private final XdpFailure failure;
    private final XdpSocket[] sockets;
    private final RedirectTransmit[] bursts;
    private final LiveBurst[] punts;
    private int bound;
    private RedirectProgram redirect;
    private PuntProgram punt;
    private InterfaceRecognition interfaces;
    private TransitProgram program;
    private FlowProgram flowProgram;
    private BpfLink link;
    private BusyPolling busyPolling;
    private DeviceSettings settings;
    private String mode;
    private boolean zeroCopy;
    private String zeroCopyRefusal;
    private String nativeRefusal = "";
    private String puntRefusal = "";

    /** Creates resources that are not open yet. With {@code zeroCopy} that mode is tried first. */
    XdpAttachment(
        final PortRequest request, final NetworkDevice device, final boolean zeroCopy, final XdpFailure failure)
    {
        this.zeroCopyRefusal = zeroCopy ? ZeroCopyDefect.of(device.driver()) : "";
        this.zeroCopy = zeroCopy && zeroCopyRefusal.isEmpty();
        this.request = request;
        this.device = device;
        this.failure = failure;
        this.sockets = new XdpSocket[request.queueCount()];
        this.bursts = new RedirectTransmit[sockets.length];
        this.punts = new LiveBurst[sockets.length];
    }

    NetworkDevice device()
    {
        return device;
    }

    /** Returns how frames are moved; null before {@link #attach}. */
    String mode()
    {
        return mode;
    }

    XdpSocket socket(final int queue)
    {
        return sockets[queue];
    }

    /** Returns the redirect path of a queue, or null; valid after {@link #attach}. */
    RedirectTransmit bursts(final int queue)
    {
        return bursts[queue];
    }

    /** Returns the burst of a queue for punted frames, or null; valid after {@link #attach}. */
    LiveBurst punts(final int queue)
    {
        return punts[queue];
    }

    /**
     * Returns why punted frames do not enter the kernel by the interface; empty if they do, or if the port does not
     * punt.
     */
    String puntRefusal()
    {
        return puntRefusal;
    }

    /** Opens the sockets. They are bound after their FILL rings were filled. */
    void openSockets()
    {
        settings = new DeviceSettings(device, request.changes(), failure);
        if (request.settings().setsQueueCount())
        {
            settings.queues(sockets.length);
        }
        for (int i = 0; i < sockets.length; i++)
        {
            try
            {
                sockets[i] = new XdpSocket(request.pools().get(i), request.settings());
                if (busyPolls())
                {
                    sockets[i].busyPoll();
                }
            }
            catch (final SystemCallException ex)
            {
                throw failure.onSocket(ex);
            }
        }
    }

    /** Returns why the port is in copy mode although zero-copy is allowed, or an empty text. */
    String zeroCopyRefusal()
    {
        return zeroCopyRefusal;
    }

    /** Returns why the program is not in native mode; empty if the driver did not refuse it. */
    String nativeRefusal()
    {
        return nativeRefusal;
    }

    /**
     * Binds the sockets that are not bound yet, all in the same mode: copy mode if the driver refuses zero-copy for the
     * first. Returns whether all are bound.
     *
     * @param patient whether to return false if a queue is in use: the kernel releases a queue shortly after the end of
     *                its process.
     */
    boolean bind(final boolean patient)
    {
        while (bound < sockets.length)
        {
            try
            {
                sockets[bound].bind(device.index(), bound, zeroCopy);
                bound++;
            }
            catch (final SystemCallException ex)
            {
                if (patient && Errno.EBUSY.is(ex.errno()))
                {
                    return false;
                }
                if (!zeroCopy || bound > 0 || Errno.EBUSY.is(ex.errno()) || Errno.ENETDOWN.is(ex.errno()))
                {
                    throw failure.onBind(ex, bound);
                }
                zeroCopyRefusal = Errno.text(ex.errno());
                zeroCopy = false;
            }
        }
        return true;
    }

    /**
     * Attaches the program, which passes all frames until {@link #giveSockets}.
     *
     * @return false if the driver refuses a native program and the sockets are in zero-copy mode, with which generic
     * mode must not be combined.
     */
    boolean attach(final Set<IpAddress> localAddresses)
    {
        loadProgram(localAddresses);
        settings.keepVlanTags();
        final XdpMode xdpMode = attachNative() ? XdpMode.NATIVE : XdpMode.GENERIC;
        if (xdpMode == XdpMode.GENERIC)
        {
            if (zeroCopy)
            {
                return false;
            }
            settings.keepSegments();
            attachGeneric();
        }
        if (busyPolls())
        {
            busyPolling = BusyPolling.deferInterrupts(device.name(), device.index(), request.changes());
        }
        mode = (zeroCopy ? "zero-copy, " : "copy, ") +
            (xdpMode == XdpMode.NATIVE ? "native" : "generic") +
            (!busyPolls() ? "" : busyPolling == null ? ", busy polling with interrupts" : ", busy polling");
        for (int i = 0; redirect != null && i < sockets.length; i++)
        {
            bursts[i] = new RedirectTransmit(redirect, program.program(), i, device.index());
        }
        if (punt != null)
        {
            openPunts(xdpMode);
        }
        return true;
    }

    /** Adds the sockets to the program's map or removes them. The program passes frames of a queue without a socket. */
    void giveSockets(final boolean given)
    {
        for (int i = 0; i < sockets.length; i++)
        {
            if (given)
            {
                program.socket(i, sockets[i].fd());
            }
            else
            {
                program.withoutSocket(i);
            }
        }
    }

    /**
     * Sets the flows of interfaces that receive frames of flows only, null for none. Returns why the port cannot find
     * them, empty if it can; then the kernel receives their frames.
     */
    String flows(final FlowTable flows)
    {
        if (flows == null)
        {
            program.flows(null);
            CloseHelper.close(flowProgram);
            flowProgram = null;
            return "";
        }
        if (!(flows.memory() instanceof BpfFlowMemory memory))
        {
            throw new IllegalArgumentException("flows of port " + request.name() + " are not in memory of the kernel");
        }
        try
        {
            final FlowProgram before = flowProgram;
            flowProgram = new FlowProgram(flows, memory, interfaces, program.sockets());
            program.flows(flowProgram);
            CloseHelper.close(before);
            return "";
        }
        catch (final SystemCallException ex)
        {
            return ex.getMessage();
        }
    }

    /** Returns the interfaces that the programs know. */
    InterfaceRecognition interfaces()
    {
        return interfaces;
    }

    /** Returns the program of {@link #attach}. */
    TransitProgram program()
    {
        return program;
    }

    DeviceSettings settings()
    {
        return settings;
    }

    /** Returns whether the interface was deleted; another one may have its name and index now. */
    boolean isInterfaceDeleted()
    {
        return sockets[0].isInterfaceDeleted();
    }

    /** Returns the sum of a counter over all open sockets. */
    long counter(final PortCounter counter)
    {
        long sum = 0;
        for (final XdpSocket socket : sockets)
        {
            if (socket != null)
            {
                try (StructMemory statistics = socket.statistics())
                {
                    sum += read(statistics, counter);
                }
            }
        }
        return sum;
    }

    private static long read(final StructMemory statistics, final PortCounter counter)
    {
        final long noBuffer = statistics.getLong(XdpLayout.STATISTICS_RX_FILL_EMPTY_OFFSET);
        return switch (counter)
        {
            case RX_RING_FULL -> statistics.getLong(XdpLayout.STATISTICS_RX_RING_FULL_OFFSET);
            case RX_NO_BUFFER -> noBuffer;
            // rx_dropped includes the frames without a chunk.
            case RX_DROPPED -> Math.max(0, statistics.getLong(XdpLayout.STATISTICS_RX_DROPPED_OFFSET) - noBuffer) +
                statistics.getLong(XdpLayout.STATISTICS_RX_INVALID_OFFSET);
            case TX_INVALID -> statistics.getLong(XdpLayout.STATISTICS_TX_INVALID_OFFSET);
            default -> 0;
        };
    }

    /** Closes the program first: without it drivers receive into no socket. */
    @Override
    public void close()
    {
        CloseHelper.closeAll(link, program, flowProgram, interfaces);
        for (int i = 0; i < sockets.length; i++)
        {
            CloseHelper.closeAll(bursts[i], punts[i], sockets[i]);
        }
        CloseHelper.closeAll(redirect, punt, busyPolling, settings);
    }

    private boolean busyPolls()
    {
        return request.settings().busyPollMicros() > 0;
    }

    private void loadProgram(final Set<IpAddress> localAddresses)
    {
        try
        {
            if (mayRedirect())
            {
                redirect = new RedirectProgram(device.index(), sockets.length);
            }
            interfaces = new InterfaceRecognition(device.macAddress(), request.index(), request.filter());
            program = loadWithPunts();
            for (final IpAddress address : localAddresses)
            {
                program.localAddress(address, true);
            }
        }
        catch (final SystemCallException ex)
        {
            throw failure.onProgram(ex);
        }
    }

    /**
     * Loads the program, before Linux 5.18 without the part for punted frames, whose functions the kernel does not
     * have.
     */
    private TransitProgram loadWithPunts()
    {
        if (request.filter().onlyAddress() == 0)
        {
            punt = new PuntProgram(sockets.length);
            try
            {
                return new TransitProgram(interfaces, sockets.length, redirect, punt, request.filter());
            }
            catch (final SystemCallException ex)
            {
                puntRefusal = "the kernel refuses this part of the program, for which it needs Linux 5.18: " +
                    Errno.text(ex.errno());
                punt.close();
                punt = null;
            }
        }
        return new TransitProgram(interfaces, sockets.length, redirect, null, request.filter());
    }

    /**
     * Opens the bursts for punted frames, but not in generic mode: the kernel would run the program again on every
     * frame that it passes, and the port would receive that frame again.
     */
    private void openPunts(final XdpMode xdpMode)
    {
        if (xdpMode == XdpMode.GENERIC)
        {
            puntRefusal = "the program is in generic mode";
            return;
        }
        for (int i = 0; i < punts.length && puntRefusal.isEmpty(); i++)
        {
            punts[i] = new LiveBurst(
                new BpfLiveRun(program.program(), new byte[BurstLayout.INITIAL_LENGTH + i], punt.metadata(),
                    device.index(), LiveBurst.MOST),
                punt.address(i));
            puntRefusal = punts[i].refusal();
        }
        if (!puntRefusal.isEmpty())
        {
            CloseHelper.closeAll(punts);
            Arrays.fill(punts, null);
        }
    }

    /**
     * Returns whether frames may be redirected. On other interfaces than virtual Ethernet pairs a full device would
     * lose redirected frames.
     */
    private boolean mayRedirect()
    {
        try (XdpFeatures features = new XdpFeatures(device.index()))
        {
            return request.settings().redirectTransmit() && VIRTUAL_PAIR.equals(device.driver()) &&
                !zeroCopy && features.isKnown();
        }
    }

    private boolean attachNative()
    {
        try
        {
            link = BpfLink.attachXdp(program.program(), device.index(), XdpMode.NATIVE);
            return true;
        }
        catch (final SystemCallException ex)
        {
            final UserException problem = failure.onAttach(ex, device.index());
            if (Errno.EBUSY.is(ex.errno()) || Errno.EEXIST.is(ex.errno()) || Errno.EPERM.is(ex.errno()) ||
                Errno.ERANGE.is(ex.errno()) && VIRTUAL_PAIR.equals(device.driver()))
            {
                throw problem;
            }
            nativeRefusal = NativeRefusal.of(program.program(), device.index(), Errno.text(ex.errno()));
            return false;
        }
    }

    private void attachGeneric()
    {
        try
        {
            link = BpfLink.attachXdp(program.program(), device.index(), XdpMode.GENERIC);
        }
        catch (final SystemCallException ex)
        {
            throw failure.onAttach(ex, device.index());
        }
    }
}
