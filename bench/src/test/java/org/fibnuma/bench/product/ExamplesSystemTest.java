package org.fibnuma.bench.product;

import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Runs every example of the manual pages as a user of the Debian package types it, in a network namespace with the
 * interfaces and files that the examples name.
 * <pre>
 *  left 10.0.0.2 h0 == eth1 10.0.0.1 [ router ] 10.0.1.1 eth2 == h0 10.0.1.2 right
 *                                      eth3, eth4 (spare)
 * </pre>
 */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
@Tag("slow")
@NamespaceTest({"dpkg-deb", "adduser", "bash", "etcd", "ping", "script", "tshark", "ps"})
class ExamplesSystemTest
{
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String DIRECTORY = "/tmp/examples";
    private static final String READY = "ready";
    private static final String ETCD = "http://127.0.0.1:2379";
    private static final int MTU = 1500;
    /** Commands of the section EXAMPLES, one in a line. */
    private static final Pattern EXAMPLES = Pattern.compile("(?ms)^\\.SH EXAMPLES\n\\.EX\n(.*?)^\\.EE$");

    private static final String ROUTER = String.join("\n",
        "[router]", "cores = []", "rx-ring-size = 256", "tx-ring-size = 256",
        "[[port]]", "name = \"left\"", "device = \"xdp:eth1\"", "acl-in = \"edge\"",
        "[[port]]", "name = \"right\"", "device = \"xdp:eth2\"",
        "[[acl]]", "name = \"edge\"", "default = \"permit\"",
        "[[acl.rule]]", "action = \"deny\"", "destination = \"198.51.100.0/24\"", "");

    @TempDir
    private Path directory;

    @AutoClose
    private final Host host = Host.open("router");
    @AutoClose
    private final Host left = Host.open("left");
    @AutoClose
    private final Host right = Host.open("right");
    private InstallRoot root;
    /** Those that have not run yet. */
    private Set<String> examples;

    @BeforeEach
    void prepare() throws IOException
    {
        root = InstallRoot.mount(host, Files.createDirectory(directory.resolve("mounted")));
        root.install(DebianPackage.find());
        root.run("mkdir", DIRECTORY);
        write("router.toml", ROUTER);
        write("router-lossless.toml", packaged("router-lossless.toml"));
        write("endpoint.toml", packaged("endpoint.toml"));
        write("a.toml", endpoint("a", "shm:examples", 1, 2, "[directory]\netcd = [\"" + ETCD + "\"]\n"));
        write("b.toml", endpoint("b", "shm:examples@far", 2, 1,
            "[[region]]\nname = \"streams\"\nsize-kib = 2048\naccess = \"read\"\n"));
        write("network.edges", "s0 s1\ns1 s2\ns2 s3\ns3 s0\n");
        root.connect(left, "eth1", "10.0.0.");
        root.connect(right, "eth2", "10.0.1.");
        left.connect("spare3", host, "eth3", MTU);
        left.connect("spare4", host, "eth4", MTU);
        host.run("ip", "link", "set", "lo", "up");
        host.run("ip", "route", "add", "192.0.2.0/24", "via", "10.0.1.2");
        host.sysctl("ipv4.ip_forward", "1");
        final String pages = root.run("sh", "-c", "zcat /usr/share/man/man1/fibnuma-*.1.gz");
        examples = EXAMPLES.matcher(pages).results().flatMap(section -> section.group(1).lines())
            .map(line -> line.replace("\\-", "-").replace("\\e", "\\")).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldRun() throws IOException
    {
        runAlone();
        runServers();
        try (ChildProcess router = startServer("fibnuma router -c router.toml"))
        {
            askTheRouter();
            interrupt(router);
        }
        useEndpoints();
        assertEquals(Set.of(), examples, "examples that this test does not run");
    }

    private void runAlone()
    {
        run("fibnuma demo --seconds 3");
        run("fibnuma demo --memory --routes 100000 --seconds 3 --json");
        assertTrue(run("fibnuma router --check -c router.toml").endsWith("router.toml: ok"));
        run("fibnuma acl check router.toml");
        run("fibnuma acl check --frame source=10.0.0.2,destination=192.0.2.1,protocol=tcp,destination-port=80 " +
            "router.toml");
        run("fibnuma pfc headroom --speed 100G --cable 100");
        run("fibnuma pfc headroom --speed 400G --model sonic --cell 144 --json");
        run("fibnuma pfc check -c router-lossless.toml");
        run("fibnuma pfc simulate --load 0.75 --policy cdptc --slots 60000");
        run("fibnuma pfc simulate --sweep --slots 20000 --output figures");
        run("fibnuma fabric plan --topology fat-tree:k=4 --out plan");
        run("fibnuma fabric plan --topology network.edges --method turn-addition --lanes 2 --json");
        run("fibnuma fabric check --topology fat-tree:k=4 --routes plan/routes");
        run("fibnuma fabric deadlock");
        run("fibnuma fabric deadlock --switches 8 --json");
        run("fibnuma ipnuma endpoint --check -c endpoint.toml");
        run("fibnuma ipnuma demo --iterations 10000");
    }

    private void runServers()
    {
        for (final String server : List.of(
            "fibnuma router eth1 eth2", "fibnuma ipnuma endpoint -c endpoint.toml",
            "fibnuma memcached --tcp 127.0.0.1:11211 --udp 127.0.0.1:11211 --memory 256"))
        {
            try (ChildProcess running = startServer(server))
            {
                interrupt(running);
            }
        }
    }

    private void askTheRouter()
    {
        try (ChildProcess pings = left.start("ping", "-q", "-i", "0.1", "10.0.1.2");
            ChildProcess datagrams = left.start("bash", "-c",
                "while sleep 0.05; do echo x >/dev/udp/192.0.2.1/9; done"))
        {
            run("fibnuma trace --port left --match 'dst net 192.0.2.0/24 and udp' --count 10");
            run("fibnuma trace --match 'icmp or icmp6' --json");
            final String captured =
                run("fibnuma capture --filter 'udp and dst net 192.0.2.0/24' --count 10 -w - | tshark -r -");
            assertEquals(10, captured.lines().count(), captured);
            try (ChildProcess capture = start("fibnuma capture --port left --drops -w left.pcapng"))
            {
                root.run("sh", "-c", "until [ -s " + DIRECTORY + "/left.pcapng ]; do sleep 0.1; done");
                interrupt(capture);
            }
            for (final String what : List.of(
                "ports", "routes", "flows", "neighbors", "drops", "stages", "pfc", "acl", "host"))
            {
                run("fibnuma show " + what);
                run("fibnuma show " + what + " --json");
            }
            run("fibnuma show ports left");
            take("fibnuma top");
            inDirectory("{ sleep 1; printf q; } | TERM=xterm script -qec 'fibnuma top' /dev/null");
            run("fibnuma top --batch -n 1");
            assertTrue(run("fibnuma lookup 192.0.2.1").contains("10.0.1.2"));
            assertTrue(run("fibnuma lookup 192.0.2.0/24").contains("match"));
            run("fibnuma lookup 192.0.2.1 --flow 10.0.0.2,192.0.2.1,tcp,40000,443 --json");
            run("fibnuma verify");
            run("fibnuma verify --json");
            run("fibnuma reload");
            run("fibnuma reload --json");
            run("fibnuma port remove left");
            run("fibnuma port add left");
            run("fibnuma port add eth3");
            run("fibnuma port add third=xdp:eth4 --acl-in edge");
            assertTrue(pings.isAlive() && datagrams.isAlive());
        }
    }

    private void useEndpoints()
    {
        try (ChildProcess server = startServer("fibnuma pingpong server --transport udp --address 127.0.0.1:7000"))
        {
            run("fibnuma pingpong client --transport udp --address 127.0.0.1:7000 --iterations 10000 --json");
            interrupt(server);
        }
        try (ChildProcess etcd = root.start(List.of("sh", "-c", "cd " + DIRECTORY + " && exec etcd --data-dir etcd")))
        {
            root.run("sh", "-c", "until ETCDCTL_API=3 etcdctl endpoint health; do sleep 0.2; done");
            try (ChildProcess server = startServer("fibnuma pingpong server -c b.toml"))
            {
                run("fibnuma pingpong client -c a.toml --iterations 10000");
                interrupt(server);
            }
            try (ChildProcess a = startEndpoint("a.toml"))
            {
                try (ChildProcess memcached =
                    startServer("fibnuma memcached --ipnuma ipnuma:2/11211 --endpoint b.toml --idle busy"))
                {
                    interrupt(memcached);
                }
                try (ChildProcess b = startEndpoint("b.toml"))
                {
                    askTheEndpoints();
                    interrupt(b);
                }
                interrupt(a);
            }
            etcd.kill();
        }
    }

    private void askTheEndpoints()
    {
        run("fibnuma ipnuma write --name a --peer 2 --region 1 --offset 64 --text hello");
        assertEquals("hello",
            run("fibnuma ipnuma read --name a --peer 2 --region 1 --offset 64 --length 5 --as text"));
        run("fibnuma ipnuma write --name a --peer 2 --region box --names 127.0.0.1:3423 --long 42");
        assertEquals("42",
            run("fibnuma ipnuma read --name a --peer 2 --region box --names 127.0.0.1:3423 --length 8 --as long"));
        run("fibnuma ipnuma show --name a");
        run("fibnuma ipnuma counters --name a");
        run("fibnuma ipnuma counters --name a --all --json");
        run("fibnuma ipnuma reload --name a");
        assertTrue(run("fibnuma ipnuma directory --etcd " + ETCD).contains("10.9.0.1"));
        try (ChildProcess watch = start("fibnuma ipnuma directory --etcd " + ETCD + " --watch --json"))
        {
            watch.awaitLine(line -> line.contains("10.9.0.1"), PATIENCE);
            interrupt(watch);
        }
        try (ChildProcess memcached = startServer("fibnuma memcached --ipnuma ipnuma:2/11211 --name b"))
        {
            interrupt(memcached);
        }
    }

    /** Runs an example to its end; yields its output. */
    private String run(final String example)
    {
        take(example);
        return inDirectory(example);
    }

    private String inDirectory(final String command)
    {
        return root.run("sh", "-c", "cd " + DIRECTORY + " && " + command);
    }

    /** Starts an example that runs until it is interrupted. */
    private ChildProcess start(final String example)
    {
        take(example);
        return startInDirectory(example);
    }

    private ChildProcess startInDirectory(final String command)
    {
        return root.start(List.of("sh", "-c", "cd " + DIRECTORY + " && exec " + command));
    }

    /** Starts an example that says when it is ready. */
    private ChildProcess startServer(final String example)
    {
        return awaitReady(start(example));
    }

    private ChildProcess startEndpoint(final String file)
    {
        return awaitReady(startInDirectory("fibnuma ipnuma endpoint -c " + file));
    }

    private static ChildProcess awaitReady(final ChildProcess server)
    {
        try
        {
            server.awaitLine(line -> line.startsWith(READY), PATIENCE);
            return server;
        }
        catch (final RuntimeException ex)
        {
            server.close();
            throw ex;
        }
    }

    private void take(final String example)
    {
        assertTrue(examples.remove(example), () -> "no manual page has " + example);
    }

    /** As Ctrl-C does. */
    private void interrupt(final ChildProcess running)
    {
        root.run("kill", "-INT", Long.toString(running.pid()));
        assertEquals(0, running.awaitExit(PATIENCE), () -> String.join("\n", running.errors()));
    }

    private void write(final String file, final String text) throws IOException
    {
        root.write(DIRECTORY + "/" + file, text);
    }

    /** Returns an example of a configuration from the package's sources. */
    private static String packaged(final String file) throws IOException
    {
        return Files.readString(Require.projectDirectory().resolve("packaging/examples").resolve(file));
    }

    private static String endpoint(
        final String name, final String device, final int own, final int peer, final String more)
    {
        return String.join("\n",
            "[endpoint]", "name = \"" + name + "\"", "device = \"" + device + "\"",
            "address = \"10.9.0." + own + "/24\"", "names = \"127.0.0.1:" + (3421 + own) + "\"",
            "names-allow = [\"127.0.0.0/8\"]",
            "[[peer]]", "id = " + peer, "address = \"10.9.0." + peer + "\"",
            "[[region]]", "name = \"box\"", "size-kib = 64", "access = \"write+read\"", "key = \"none\"", more);
    }
}
