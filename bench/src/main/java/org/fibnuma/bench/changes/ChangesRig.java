package org.fibnuma.bench.changes;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.AllOrNothing;
import org.fibnuma.core.UserException;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;

import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/**
 * A router process with three ports in a namespace, whose kernel and links are changed by an {@code ip -batch} in each
 * namespace that runs all the time. For one thread.
 */
final class ChangesRig implements AutoCloseable
{
    private static final Duration START_PATIENCE = Duration.ofSeconds(60);
    private static final int MTU = 1500;

    private final String name = "bench-changes-" + ProcessHandle.current().pid();
    private final Host hosts = Host.open("hosts");
    private final Host router = Host.open("router");
    /** {@code ip -batch} in each namespace. */
    private final Map<ChangeKind.Place, ChildProcess> batches = new EnumMap<>(ChangeKind.Place.class);
    private RouterProcess process;
    private ControlClient client;

    private ChangesRig()
    {
    }

    /**
     * Starts the router.
     *
     * @throws UserException if it does not start; the message contains its error lines.
     * @throws IOException   if it does not answer.
     */
    static ChangesRig open() throws IOException
    {
        return AllOrNothing.open(new ChangesRig(), rig ->
        {
            rig.hosts.connect("h0", rig.router, "r0", MTU);
            rig.hosts.connect("h1", rig.router, ChangeKind.DEVICE, MTU);
            rig.hosts.connect(ChangeKind.SECOND_PEER, rig.router, ChangeKind.SECOND_DEVICE, MTU);
            rig.router.enableIpv6();
            ChangeKind.ADDRESSES.forEach(address -> rig.router.address(ChangeKind.DEVICE, address));
            ChangeKind.SECOND_ADDRESSES.forEach(address -> rig.router.address(ChangeKind.SECOND_DEVICE, address));
            ChangeKind.GROUPS.forEach(arguments -> rig.router.run(("ip " + arguments).split(" ")));
            rig.router.sysctl("ipv4.ip_forward", "1");
            rig.router.sysctl("ipv6.conf.all.forwarding", "1");
            rig.batches.put(ChangeKind.Place.ROUTER, rig.router.start("ip", "-batch", "-"));
            rig.batches.put(ChangeKind.Place.PEER, rig.hosts.start("ip", "-batch", "-"));
            rig.process = RouterProcess.start(rig.router, RouterProcess.table(rig.name) +
                RouterProcess.xdpPort("left", "r0") +
                RouterProcess.xdpPort("right", ChangeKind.DEVICE) +
                RouterProcess.xdpPort("second", ChangeKind.SECOND_DEVICE), START_PATIENCE);
            rig.client = ControlClient.connect(rig.name);
        });
    }

    /**
     * Measures changes one after the other, each made or undone in turn.
     *
     * @param kinds of changes, in their order.
     * @param count changes of each kind, see {@link ChangeKind#count}.
     * @return times from the command for {@code ip} until a lookup of the router has the change, of each kind.
     * @throws UserException if the router does not have a change within 10 s.
     * @throws IOException   if the router does not answer.
     */
    Map<ChangeKind, ChangeTimes> measure(final List<ChangeKind> kinds, final int count) throws IOException
    {
        final Map<ChangeKind, ChangeTimes> results = new LinkedHashMap<>();
        for (final ChangeKind kind : kinds)
        {
            final ChangeTimes times = new ChangeTimes();
            if (!kind.isUndone(lookup(kind)))
            {
                change(kind, kind.undo(), kind::isUndone);
            }
            for (int i = 0; i < kind.count(count); i++)
            {
                LockSupport.parkNanos(kind.restNs());
                final boolean make = i % 2 == 0;
                times.add(make ? change(kind, kind.make(), kind::isMade) :
                    change(kind, kind.undo(), kind::isUndone));
            }
            if (kind.isMade(lookup(kind)))
            {
                change(kind, kind.undo(), kind::isUndone);
            }
            results.put(kind, times);
        }
        return results;
    }

    private long change(final ChangeKind kind, final String command, final Predicate<JsonNode> isSeen)
        throws IOException
    {
        final ChildProcess ip = batches.get(kind.place());
        final long start = System.nanoTime();
        ip.send(command);
        while (!isSeen.test(lookup(kind)))
        {
            if (System.nanoTime() - start >= ChangeTimes.LONGEST_NS)
            {
                throw new UserException("the router does not have \"ip " + command + "\" after 10 s" +
                    (ip.isAlive() ? "" : "; ip: " + String.join(" | ", ip.errors())));
            }
        }
        return System.nanoTime() - start;
    }

    private JsonNode lookup(final ChangeKind kind) throws IOException
    {
        return client.ask(ControlProtocol.request("lookup").put("address", kind.destination()));
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(client, process, () -> CloseHelper.closeAll(batches.values()), router, hosts);
    }
}
