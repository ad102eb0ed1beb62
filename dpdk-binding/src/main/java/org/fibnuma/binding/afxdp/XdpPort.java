package org.fibnuma.binding.afxdp;

import org.fibnuma.binding.bpf.BpfLink;
import org.fibnuma.binding.bpf.XdpMode;
import org.fibnuma.binding.libc.Errno;
import org.fibnuma.binding.libc.StructMemory;
import org.fibnuma.binding.libc.SystemCallException;
import org.fibnuma.binding.netdevice.InterfaceState;
import org.fibnuma.binding.netdevice.NetworkDevice;
import org.fibnuma.binding.netdevice.XdpFeatures;
import org.fibnuma.core.frame.FramePool;
import org.fibnuma.core.port.Port;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.port.PortException;
import org.fibnuma.core.port.PortRequest;
import org.fibnuma.core.port.RxQueue;
import org.fibnuma.core.port.TxQueue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An interface of the kernel whose transit traffic is ours. The XDP program is attached when the port is opened, so
 * that a program already there is found before anything starts; it takes nothing until {@link #start()} gives it the
 * sockets.
 */
final class XdpPort implements Port
{
    /** The kernel lets go of a queue a little after the process that had it has ended. */
    private static final long BIND_PATIENCE_MS = 1000;
    /** Frames still on their way when the port is closed are waited for this long. */
    private static final long DRAIN_PATIENCE_MS = 50;

    private static final String VIRTUAL_PAIR = "veth";

    private final PortRequest request;
    private final NetworkDevice device;
    private final XdpFailure failure;
    private final XdpSocket[] sockets;
    private final XdpRxQueue[] rxQueues;
    private final XdpTxQueue[] txQueues;
    private RedirectProgram redirect;
    private TransitProgram program;
    private BpfLink link;
    private final InterfaceState state;
    private BusyPolling busyPolling;
    private String mode;
    private boolean started;
    private boolean takesTransit = true;

    private XdpPort(final PortRequest request, final NetworkDevice device, final XdpFailure failure)
    {
        this.request = request;
        this.device = device;
        this.failure = failure;
        this.state = new InterfaceState(device.name());
        this.sockets = new XdpSocket[request.queueCount()];
        this.rxQueues = new XdpRxQueue[sockets.length];
        this.txQueues = new XdpTxQueue[sockets.length];
    }

    /**
     * Opens a port in the calling thread's network namespace.
     *
     * @param request whose device is an interface.
     * @return the port, attached but taking nothing.
     * @throws PortException with one line for the user; nothing stays open.
     */
    static XdpPort open(final PortRequest request)
    {
        final XdpFailure failure = new XdpFailure(request);
        final NetworkDevice device = XdpRequirements.check(request, failure);
        final XdpPort port = new XdpPort(request, device, failure);
        try
        {
            port.openSockets();
            port.loadProgram();
            port.mode = port.attach();
            port.openTransmit();
            return port;
        }
        catch (final RuntimeException ex)
        {
            port.close();
            throw ex;
        }
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
        return txQueues[0] != null && txQueues[0].redirects() ? mode + ", bursts by redirect" : mode;
    }

    @Override
    public int interfaceIndex()
    {
        return device.index();
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
        return device.deliversPartialChecksums();
    }

    @Override
    public boolean linkUp()
    {
        return state.isRunning() && !removed();
    }

    /** Another interface of the name is not the one that the sockets are bound to. */
    @Override
    public boolean removed()
    {
        return state.index() != device.index();
    }

    @Override
    public int queueCount()
    {
        return sockets.length;
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
    public void start()
    {
        started = true;
        if (takesTransit)
        {
            giveSockets(true);
        }
    }

    @Override
    public boolean takeTransit(final boolean taken)
    {
        if (started && taken != takesTransit)
        {
            giveSockets(taken);
        }
        takesTransit = taken;
        return true;
    }

    /** Or takes them away again: the program passes what finds no socket. */
    private void giveSockets(final boolean given)
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

    @Override
    public void localAddress(final int address, final boolean local)
    {
        program.localAddress(address, local);
    }

    @Override
    public long deviceCounter(final PortCounter counter)
    {
        long sum = 0;
        for (final XdpSocket socket : sockets)
        {
            if (socket != null)
            {
                try (StructMemory statistics = socket.statistics())
                {
                    sum += XdpStatistics.read(statistics, counter);
                }
            }
        }
        return sum;
    }

    @Override
    public void close()
    {
        drain();
        if (link != null)
        {
            link.close();
        }
        if (program != null)
        {
            program.close();
        }
        if (redirect != null)
        {
            redirect.close();
        }
        for (int i = 0; i < sockets.length; i++)
        {
            closeQueue(i);
        }
        if (busyPolling != null)
        {
            busyPolling.close();
            busyPolling = null;
        }
        state.close();
    }

    private void openSockets()
    {
        final boolean busyPolls = request.settings().busyPollMicros() > 0;
        for (int i = 0; i < sockets.length; i++)
        {
            final FramePool pool = request.pools().get(i);
            try
            {
                sockets[i] = new XdpSocket(pool, request.settings());
                if (busyPolls)
                {
                    sockets[i].busyPoll();
                }
            }
            catch (final SystemCallException ex)
            {
                throw failure.onSocket(ex);
            }
            rxQueues[i] = new XdpRxQueue(sockets[i], pool, request.index(), busyPolls);
            rxQueues[i].refill();
            bind(i);
        }
        if (busyPolls)
        {
            busyPolling = BusyPolling.deferInterrupts(device.name(), device.index(), request.changes());
        }
    }

    private void bind(final int queue)
    {
        final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BIND_PATIENCE_MS);
        while (true)
        {
            try
            {
                sockets[queue].bind(device.index(), queue);
                return;
            }
            catch (final SystemCallException ex)
            {
                if (!Errno.EBUSY.is(ex.errno()) || System.nanoTime() > deadline)
                {
                    throw failure.onBind(ex, queue);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
            }
        }
    }

    private void loadProgram()
    {
        try
        {
            if (mayRedirect())
            {
                redirect = new RedirectProgram(device.index(), sockets.length);
            }
            program = new TransitProgram(device.macAddress(), sockets.length, redirect, request.settings());
        }
        catch (final SystemCallException ex)
        {
            throw failure.onProgram(ex);
        }
    }

    /** Elsewhere the interface holds the socket back when it is full, where a redirected frame would be lost. */
    private boolean mayRedirect()
    {
        try (XdpFeatures features = new XdpFeatures(device.index()))
        {
            return request.settings().redirectTransmit() && VIRTUAL_PAIR.equals(device.driver()) &&
                !sockets[0].isZeroCopy() && features.isKnown();
        }
    }

    private String attach()
    {
        final XdpMode xdpMode = attachNativeOrGeneric();
        return (sockets[0].isZeroCopy() ? "zero-copy, " : "copy, ") +
            (xdpMode == XdpMode.NATIVE ? "native" : "generic") +
            (request.settings().busyPollMicros() == 0 ? "" :
            busyPolling == null ? ", busy polling with interrupts" : ", busy polling");
    }

    private void openTransmit()
    {
        for (int i = 0; i < sockets.length; i++)
        {
            final RedirectTransmit bursts = redirect == null ? null :
                new RedirectTransmit(redirect, program.program(), i, device.index());
            txQueues[i] = new XdpTxQueue(sockets[i], request.pools().get(i), bursts);
        }
    }

    private XdpMode attachNativeOrGeneric()
    {
        try
        {
            link = BpfLink.attachXdp(program.program(), device.index(), XdpMode.NATIVE);
            return XdpMode.NATIVE;
        }
        catch (final SystemCallException ex)
        {
            final PortException problem = failure.onAttach(ex, device.index());
            if (Errno.EBUSY.is(ex.errno()) || Errno.EEXIST.is(ex.errno()) || Errno.EPERM.is(ex.errno()) ||
                Errno.ERANGE.is(ex.errno()) && VIRTUAL_PAIR.equals(device.driver()))
            {
                throw problem;
            }
            return attachGeneric();
        }
    }

    private XdpMode attachGeneric()
    {
        try
        {
            link = BpfLink.attachXdp(program.program(), device.index(), XdpMode.GENERIC);
            return XdpMode.GENERIC;
        }
        catch (final SystemCallException ex)
        {
            throw failure.onAttach(ex, device.index());
        }
    }

    private void drain()
    {
        final long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DRAIN_PATIENCE_MS);
        for (int i = 0; i < sockets.length; i++)
        {
            while (sockets[i] != null && txQueues[i] != null && txQueues[i].held() > 0 && System.nanoTime() < deadline)
            {
                txQueues[i].transmit();
                LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
            }
        }
    }

    private void closeQueue(final int queue)
    {
        if (sockets[queue] != null)
        {
            sockets[queue].shutDown();
            if (rxQueues[queue] != null)
            {
                rxQueues[queue].reclaim();
            }
            if (txQueues[queue] != null)
            {
                txQueues[queue].reclaim();
                txQueues[queue].close();
            }
            sockets[queue].close();
            sockets[queue] = null;
        }
    }
}
