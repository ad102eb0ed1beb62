package org.fibnuma.bench.pfc;

import com.fasterxml.jackson.databind.JsonNode;
import org.agrona.CloseHelper;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.bench.system.LabCable;
import org.fibnuma.bench.system.LabDevice;
import org.fibnuma.bench.traffic.PausableSender;
import org.fibnuma.core.port.PortCounter;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.traffic.HostFrames;
import org.fibnuma.core.traffic.HostPort;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.core.wire.MacAddress;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.StreamSupport;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * A sender, the router with lossless priority 3, a sink: three namespaces and two cables of the kind that
 * {@link LabDevice} says. Sender and sink are driven by the test's thread, in turn.
 * <pre>
 *  a0 10.0.0.2 ==== r0 router r1 ==== b0 10.0.1.2
 *  PausableSender                     PausingSink
 * </pre>
 */
final class LosslessLab implements AutoCloseable
{
    static final int LOSSLESS = 3;
    static final int LOSSY = 0;
    static final int FRAME_LENGTH = 1500;
    static final long GBPS = 1_000_000_000L;

    private static final int MTU = 1500;
    private static final long IDLE_NS = 20_000;
    private static final Duration DRAIN = Duration.ofMillis(300);

    private final String name = "pfc-" + ProcessHandle.current().pid();
    private final Host a = Host.open("a");
    private final Host router = Host.open("router");
    private final Host b = Host.open("b");
    private final LabDevice device = LabDevice.chosen();
    private final List<LabCable> cables = List.of(
        new LabCable(a, "a0", router, "r0", "w0", MTU), new LabCable(b, "b0", router, "r1", "w1", MTU));
    private final List<String> captured = new ArrayList<>();
    private HostPort source;
    private HostPort end;
    private RouterProcess process;
    private PausableSender sender;
    private PausingSink sink;
    private Pattern pattern = Pattern.NONE;

    /** What the sink does beside counting. */
    interface Pattern
    {
        Pattern NONE = nowNs ->
        {
        };

        void onTime(long nowNs);
    }

    static LosslessLab open(final String pfcTable, final boolean obeys)
    {
        return open("", pfcTable, obeys);
    }

    /** With more keys of the router, each on a line. */
    static LosslessLab open(final String routerKeys, final String pfcTable, final boolean obeys)
    {
        final LosslessLab lab = new LosslessLab();
        try
        {
            lab.start(routerKeys, pfcTable, obeys);
            return lab;
        }
        catch (final RuntimeException ex)
        {
            lab.close();
            throw ex;
        }
    }

    private void start(final String routerKeys, final String pfcTable, final boolean obeys)
    {
        router.sysctl("ipv4.ip_forward", "1");
        cables.forEach(device::prepare);
        router.address("r0", "10.0.0.1/24");
        router.address("r1", "10.0.1.1/24");
        process = RouterProcess.start(router, config(routerKeys, pfcTable), Duration.ofSeconds(120));
        // The headroom is for a router that looks in time: other programs of this machine are not to keep it from that.
        router.run("chrt", "--all-tasks", "--rr", "--pid", "1", Long.toString(process.pid()));
        cables.forEach(device::connect);
        router.run("ip", "neigh", "replace", "10.0.0.2", "lladdr", a.macAddress("a0"), "dev", "r0");
        router.run("ip", "neigh", "replace", "10.0.1.2", "lladdr", b.macAddress("b0"), "dev", "r1");
        source = HostPort.openWithPauses(a.namespaceFile(), "a0");
        end = HostPort.openWithPauses(b.namespaceFile(), "b0");
        sender = new PausableSender(
            source.port(),
            source.pool(),
            new HostFrames(
                MacAddress.parse(router.macAddress("r0")), MacAddress.parse(a.macAddress("a0")),
                Ipv4Address.parse("10.0.0.2"), FRAME_LENGTH),
            Ipv4Address.parse("10.0.1.2"),
            GBPS,
            obeys,
            frame -> captured.add(HexFormat.of().formatHex(frame)));
        sink = new PausingSink(end, MacAddress.parse(b.macAddress("b0")));
    }

    private String config(final String routerKeys, final String pfcTable)
    {
        return "[router]\nname = \"" + name + "\"\ncores = []\n" + routerKeys +
            "[[port]]\nname = \"left\"\n" + device.portKeys(cables.get(0), 0) + "\n" +
            "[[port]]\nname = \"right\"\n" + device.portKeys(cables.get(1), 1) + "\n" +
            "[pfc]\nlossless = [" + LOSSLESS + "]\nspeed = \"1G\"\npoll-us = 5000\nring-frames = 2048\n" + pfcTable;
    }

    void pattern(final Pattern changed)
    {
        pattern = changed;
    }

    /** Does something beside counting once in a period. */
    void every(final long periodNs, final Runnable action)
    {
        final long[] nextNs = {System.nanoTime()};
        pattern(nowNs ->
        {
            if (nowNs - nextNs[0] >= 0)
            {
                nextNs[0] = nowNs + periodNs;
                action.run();
            }
        });
    }

    /** Ends both streams and the pattern and waits for what is on the way. */
    void drain()
    {
        sender.stream(LOSSLESS, 0).stream(LOSSY, 0);
        pattern(Pattern.NONE);
        run(DRAIN);
    }

    /** The router has received every pause of the sink and no other. */
    void assertPausesOfTheSink()
    {
        final JsonNode right = pfc("right");
        assertEquals(sink.pauses(), right.path("xoffRx").asLong(), right.toString());
        assertEquals(sink.resumes(), right.path("xonRx").asLong(), right.toString());
    }

    void run(final Duration duration)
    {
        final long until = System.nanoTime() + duration.toNanos();
        long nowNs = System.nanoTime();
        while (nowNs - until < 0)
        {
            final int work = sender.doWork(nowNs) + sink.receive();
            pattern.onTime(nowNs);
            if (work == 0)
            {
                LockSupport.parkNanos(IDLE_NS);
            }
            nowNs = System.nanoTime();
        }
    }

    PausableSender sender()
    {
        return sender;
    }

    PausingSink sink()
    {
        return sink;
    }

    /** MAC control frames that the sender received, as hex. */
    List<String> captured()
    {
        return captured;
    }

    /** Process id of the router. */
    long pid()
    {
        return process.pid();
    }

    /** Waits for the router's end and returns its exit status. */
    int awaitEnd()
    {
        return process.awaitEnd();
    }

    /** The rows of {@code show pfc} about pauses that were not obeyed. */
    JsonNode ignoredPauses()
    {
        return ask("pfc").path("ignoredPauses");
    }

    /** A row of {@code show pfc}. */
    JsonNode pfc(final String port)
    {
        return StreamSupport.stream(ask("pfc").path("priorities").spliterator(), false)
            .filter(row -> row.path("port").asText().equals(port) && row.path("priority").asInt() == LOSSLESS)
            .findFirst().orElseThrow();
    }

    /**
     * Frames that the cables and the two hosts lost, by the counts of the kernel and of the sockets: a veth pair has no
     * flow control, and this process may be kept from its socket for longer than its rings last.
     */
    long lostOnTheWay()
    {
        long lost = interfaceDrops(a, "a0") + interfaceDrops(router, "r0") + interfaceDrops(router, "r1") +
            interfaceDrops(b, "b0");
        for (final PortCounter counter : PortCounter.values())
        {
            lost += end.port().deviceCounter(counter);
        }
        for (final JsonNode port : ask("ports").path("ports"))
        {
            lost += port.path("rxRingFull").asLong() + port.path("rxNoBuffer").asLong() +
                port.path("rxDropped").asLong();
        }
        return lost;
    }

    /** Columns 3 and 11 of /proc/net/dev behind the name: dropped when received, dropped when sent. */
    private static long interfaceDrops(final Host host, final String device)
    {
        final String line = host.run("cat", "/proc/net/dev").lines()
            .filter(text -> text.strip().startsWith(device + ":")).findFirst().orElseThrow();
        final String[] columns = line.strip().substring(device.length() + 1).strip().split(" +");
        return Long.parseLong(columns[3]) + Long.parseLong(columns[11]);
    }

    /** What the router has said on standard error. */
    List<String> log()
    {
        return process.errors();
    }

    JsonNode drops()
    {
        return ask("drops");
    }

    private JsonNode ask(final String what)
    {
        try (ControlClient client = ControlClient.connect(name))
        {
            return client.ask(ControlProtocol.request(what));
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }

    @Override
    public void close()
    {
        if (process != null)
        {
            process.terminate();
            process.close();
        }
        CloseHelper.closeAll(source, end, a, router, b);
    }
}
