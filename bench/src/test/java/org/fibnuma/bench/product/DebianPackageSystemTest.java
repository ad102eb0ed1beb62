package org.fibnuma.bench.product;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.binding.libc.NotifyReceiver;
import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The Debian package: lintian, systemd's check of the units, installation in a root of its own, and the service. */
@Timeout(value = 15, unit = TimeUnit.MINUTES)
@NamespaceTest({"dpkg-deb", "adduser", "setpriv", "curl", "man", "ping", "ps"})
class DebianPackageSystemTest
{
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String UNITS = "/lib/systemd/system/";
    private static final String NOTIFY = "/run/notify";
    /** A user who is no member of the group fibnuma. */
    private static final String OTHER_USER = "65534";

    private static Path deb;

    @TempDir
    private Path directory;

    @AutoClose
    private final Host host = Host.open("router");
    private InstallRoot root;

    @BeforeEach
    void prepare() throws IOException
    {
        deb = DebianPackage.find();
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        root = InstallRoot.mount(host, Files.createDirectory(directory.resolve("mounted")));
    }

    @Test
    void shouldHaveNoErrorOrWarningOfLintianAndAReasonForEachOverride() throws IOException
    {
        Require.program("lintian", "lintian");
        try (ChildProcess lintian = ChildProcess.start(
            "lintian", "--allow-root", "--fail-on", "error,warning", "--tag-display-limit", "0", deb.toString()))
        {
            final int status = lintian.awaitExit(PATIENCE);
            assertEquals(0, status, () -> String.join("\n", lintian.output()));
        }
        boolean hasReason = false;
        for (final String line :
            Files.readAllLines(Require.projectDirectory().resolve("packaging/debian/lintian-overrides")))
        {
            assertTrue(line.isEmpty() || line.startsWith("# ") || hasReason, "no reason above: " + line);
            hasReason = !line.isEmpty();
        }
    }

    @Test
    void shouldHaveUnitsThatSystemdAcceptsAndAChangelogExamplesAndCompletionOfThisVersion() throws IOException
    {
        Require.program("systemd-analyze", "systemd");
        final String changelog =
            Files.readString(Require.projectDirectory().resolve("packaging/debian/changelog"));
        final String version = ChildProcess.run(PATIENCE, "dpkg-deb", "-f", deb.toString(), "Version");
        assertTrue(changelog.startsWith("fibnuma (" + version + ") "), version);
        root.install(deb);
        assertExamplesCanBeRead();
        assertEquals("router", complete("fibnuma rout"));
        assertEquals("endpoint", complete("fibnuma ipnuma end"));
        assertEquals("--config", complete("fibnuma router --conf"));
        for (final String unit : List.of("fibnuma-router@.service", "fibnuma-endpoint@.service"))
        {
            try (ChildProcess verify = root.start(List.of("systemd-analyze", "verify", UNITS + unit)))
            {
                final int status = verify.awaitExit(PATIENCE);
                assertEquals(List.of(), verify.errors());
                assertEquals(0, status);
            }
            // An interface that appears 30 s after the start of the machine: tried again without a limit.
            final UnitFile file = new UnitFile(root.run("cat", UNITS + unit));
            assertEquals("0", file.value("StartLimitIntervalSec"));
            assertEquals("1", file.value("RestartSec"));
        }
    }

    @Test
    void shouldInstallUpgradeRemoveAndPurge() throws IOException
    {
        root.install(deb);
        assertTrue(root.run("getent", "passwd", "fibnuma").endsWith(":/nonexistent:/usr/sbin/nologin"));
        assertEquals("750 root fibnuma", root.run("stat", "-c", "%a %U %G", "/etc/fibnuma"));
        assertTrue(root.run("fibnuma", "router", "--help").contains("Usage: fibnuma router"));
        assertTrue(root.run("man", "fibnuma-router").contains("Runs a router until SIGTERM"));
        assertTrue(root.run("man", "fibnuma.toml").contains("threads of the data path"));
        assertTrue(root.run("zcat", "/usr/share/doc/fibnuma/fibnuma.toml.md.gz").contains("hold-frames-per-neighbor"));
        final String edited = root.run("cat", "/etc/fibnuma/router.toml").replace("xdp:eth1", "xdp:eth7") + "\n";
        root.write("/etc/fibnuma/router.toml", edited);
        root.write("/etc/fibnuma/edge.toml", "# of the administrator\n");
        root.run("chmod", "0700", "/etc/fibnuma");

        root.install(successor());
        assertTrue(root.run("dpkg-query", "-W", "-f", "${Version}", "fibnuma").endsWith("+next"));
        assertEquals(edited.strip(), root.run("cat", "/etc/fibnuma/router.toml").strip(), "kept");
        assertTrue(root.exists("/etc/fibnuma/router.toml.dpkg-dist"), "the new one is beside it");
        assertEquals("700 root fibnuma", root.run("stat", "-c", "%a %U %G", "/etc/fibnuma"));

        root.run("dpkg", "--remove", "fibnuma");
        for (final String removed :
            List.of("/usr/bin/fibnuma", "/usr/share/fibnuma", UNITS + "fibnuma-router@.service"))
        {
            assertFalse(root.exists(removed), removed);
        }
        assertEquals(edited.strip(), root.run("cat", "/etc/fibnuma/router.toml").strip());

        root.run("dpkg", "--purge", "fibnuma");
        assertFalse(root.exists("/etc/fibnuma"));
        root.runRefused(2, "getent", "passwd", "fibnuma");
        root.runRefused(2, "getent", "group", "fibnuma");
        assertEquals(List.of(), root.changedFiles());
    }

    @Test
    void shouldTellSystemdOfItsUnits() throws IOException
    {
        root.run("mkdir", "-p", "/run/systemd/system");
        root.write("/usr/bin/systemctl", "#!/bin/sh\necho \"$*\" >> /run/systemctl.log\n");
        root.run("chmod", "0755", "/usr/bin/systemctl");
        root.install(deb);
        assertEquals(List.of("--system daemon-reload"), systemctlCalls());
        root.install(successor());
        assertEquals(Set.of("--system daemon-reload"), Set.copyOf(systemctlCalls()), "nothing stops or restarts");
        root.run("rm", "/run/systemctl.log");
        root.run("dpkg", "--remove", "fibnuma");
        assertEquals(List.of("--system stop fibnuma-router@*.service fibnuma-endpoint@*.service",
            "--system daemon-reload"), systemctlCalls());
    }

    /** Each example, without its comment signs, is a configuration; this host does not have its interfaces. */
    private void assertExamplesCanBeRead() throws IOException
    {
        for (final String[] check : new String[][] {{"router"}, {"ipnuma", "endpoint"}})
        {
            final String example = "/etc/fibnuma/" + check[check.length - 1] + ".toml";
            final String text = root.run("cat", example);
            assertEquals(List.of(), text.lines()
                .filter(line -> !line.isEmpty() && !line.startsWith("#")).collect(Collectors.toList()), example);
            root.write("/tmp/example.toml", text.replaceAll("(?m)^#(?! |$)", "").replace("\"xdp:", "\"mem:"));
            final List<String> command = new ArrayList<>(List.of("fibnuma"));
            command.addAll(List.of(check));
            command.addAll(List.of("--check", "-c", "/tmp/example.toml"));
            assertTrue(root.run(command.toArray(String[]::new)).endsWith("/tmp/example.toml: ok"), example);
        }
    }

    /** What happens while a service runs. */
    @FunctionalInterface
    private interface Service
    {
        void use(NotifyReceiver manager, ChildProcess program) throws Exception;
    }

    @Test
    void shouldForwardAsTheUnitsUserWithItsCapabilities() throws Exception
    {
        final String name = "edge-" + ProcessHandle.current().pid();
        try (Host left = Host.open("left"); Host right = Host.open("right"))
        {
            root.connect(left, "r0", "10.0.0.");
            root.connect(right, "r1", "10.0.1.");
            host.sysctl("ipv4.ip_forward", "1");
            serve("fibnuma-router@.service", configuration(name, 50), "router " + name + " forwards, ports: 2",
                (manager, router) ->
                {
                    left.run("ping", "-n", "-q", "-c", "5", "-i", "0.05", "-W", "20", "10.0.1.2");
                    assertTrue(forwardedFrames(name) >= 5, "the router, not the kernel, forwards");
                    refuseOtherUsers(name);
                    reload(manager, router, name);
                });
            assertFalse(root.exists("/run/fibnuma-service/" + name + ".sock"));
        }
    }

    @Test
    void shouldServeAsTheUnitsUserWithItsCapabilities() throws Exception
    {
        final String name = "edge-" + ProcessHandle.current().pid();
        try (Host peer = Host.open("peer"))
        {
            root.connect(peer, "r0", "10.0.0.");
            serve("fibnuma-endpoint@.service", String.join("\n",
                "[endpoint]", "name = \"" + name + "\"", "device = \"xdp:r0\"", "address = \"10.0.0.9/24\"",
                "rx-ring-size = 64", "tx-ring-size = 64",
                "[[peer]]", "id = 2", "address = \"10.0.0.2\"", ""), "endpoint " + name + " serves, peers: 1",
                (manager, endpoint) ->
                {
                });
        }
    }

    /** Starts the program of a unit as systemd does, and ends it after its use. */
    private void serve(final String unitName, final String configuration, final String ready, final Service service)
        throws Exception
    {
        root.install(deb);
        final UnitFile unit = new UnitFile(root.run("cat", UNITS + unitName));
        assertEquals(unit.value("CapabilityBoundingSet"), unit.value("AmbientCapabilities"));
        final Path notify = Files.createDirectory(directory.resolve("notify"));
        final Path socket = notify.resolve("socket");
        root.bind(notify, NOTIFY);
        root.run("install", "-d", "-m", unit.value("RuntimeDirectoryMode"), "-o", unit.value("User"),
            "-g", unit.value("Group"), "/run/" + unit.value("RuntimeDirectory"));
        root.write("/etc/fibnuma/edge.toml", configuration);
        root.run("sh", "-c", "chown root:fibnuma /etc/fibnuma/edge.toml && chmod 0640 /etc/fibnuma/edge.toml");
        try (NotifyReceiver manager = new NotifyReceiver(socket.toString()))
        {
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rwxrwxrwx"));
            try (ChildProcess program = root.start(command(unit)))
            {
                try
                {
                    assertEquals("READY=1\nSTATUS=" + ready,
                        await(manager, program, message -> message.startsWith("READY=1")));
                    assertNotNull(await(manager, program, "WATCHDOG=1"::equals));
                    assertEquals(unit.value("User"), root.run("ps", "-o", "user=", "-p", Long.toString(program.pid())));
                    service.use(manager, program);
                    program.terminate();
                    assertNotNull(await(manager, program, "STOPPING=1"::equals));
                    assertEquals(0, program.awaitExit(PATIENCE));
                }
                finally
                {
                    program.kill();
                }
            }
        }
    }

    /** As SIGHUP of ExecReload asks for. */
    private void reload(final NotifyReceiver manager, final ChildProcess router, final String name) throws IOException
    {
        // A builtin command of dash: /bin/kill belongs to procps, which a minimal system lacks.
        assertEquals("/bin/sh -c 'kill -HUP $$MAINPID'",
            new UnitFile(root.run("cat", UNITS + "fibnuma-router@.service")).value("ExecReload"));
        root.write("/etc/fibnuma/edge.toml", configuration(name, 20));
        root.run("env", "MAINPID=" + router.pid(), "/bin/sh", "-c", "kill -HUP $MAINPID");
        assertNotNull(await(manager, router, message -> message.matches("RELOADING=1\nMONOTONIC_USEC=\\d+")));
        assertEquals("READY=1\nSTATUS=reloaded /etc/fibnuma/edge.toml, changes: 1",
            await(manager, router, message -> message.startsWith("READY=1")));
    }

    /** The control socket is for the router's user, its group and root. */
    private void refuseOtherUsers(final String name)
    {
        assertEquals("660 fibnuma fibnuma",
            root.run("stat", "-c", "%a %U %G", "/run/fibnuma-service/" + name + ".sock"));
        final List<String> refusal = root.runRefused(1, askAsOther(name, "--clear-groups"));
        assertTrue(refusal.get(0).contains("no router \"" + name + "\" of this user runs"), refusal::toString);
        // Also by its path, since the directory's mode alone could have kept the user out of it.
        root.run("chmod", "0755", "/run/fibnuma-service");
        final List<String> denial = root.runRefused(1, askAsOther(name, "--clear-groups"));
        assertTrue(denial.get(0).contains("/run/fibnuma-service/" + name + ".sock"), denial::toString);
        root.run("chmod", "0750", "/run/fibnuma-service");
        assertTrue(root.run(askAsOther(name, "--groups", "fibnuma")).contains("left"));
        refuseOtherUsersOverHttp();
    }

    private static String[] askAsOther(final String name, final String... groups)
    {
        return Stream.of(Stream.of("setpriv", "--reuid", OTHER_USER, "--regid", OTHER_USER), Stream.of(groups),
            Stream.of("fibnuma", "show", "ports", "--name", name)).flatMap(words -> words).toArray(String[]::new);
    }

    private void refuseOtherUsersOverHttp()
    {
        root.run("useradd", "--no-create-home", "member");
        root.run("adduser", "--quiet", "member", "fibnuma");
        for (final String[] user : new String[][] {
            {"root", "200"}, {"fibnuma", "200"}, {"member", "200"}, {"nobody", "403"}, {"daemon", "403"}})
        {
            for (final String path : List.of("metrics", "health", ""))
            {
                final String answer = askOverHttp(user[0], path);
                assertEquals(user[1], answer.substring(answer.lastIndexOf('\n') + 1),
                    () -> user[0] + " asks for /" + path + ": " + answer);
                assertFalse(path.equals("health") && answer.contains("does not forward"), answer);
            }
        }
    }

    /**
     * Returns the body and, on the last line, the status. The router answers with status 503 if a loaded machine keeps
     * it from answering in time. curl then asks again, and the bodies of all answers are returned.
     */
    private String askOverHttp(final String user, final String path)
    {
        return root.run("setpriv", "--reuid", user, "--regid", "nogroup", "--clear-groups",
            "curl", "-s", "--retry", "20", "--retry-delay", "1", "-w", "\n%{http_code}",
            "http://127.0.0.1:9473/" + path);
    }

    private long forwardedFrames(final String name) throws IOException
    {
        final JsonNode fates =
            new ObjectMapper().readTree(root.run("fibnuma", "show", "drops", "--json", "--name", name));
        return fates.get("forwarded").asLong();
    }

    /** Memory of the frames is below 8 MiB, which a user may lock where the test cannot raise the limit. */
    private static String configuration(final String name, final int burst)
    {
        return String.join("\n",
            "[router]",
            "name = \"" + name + "\"",
            "cores = []",
            "rx-ring-size = 64",
            "tx-ring-size = 64",
            "egress-fifo-depth = 16",
            "hold-frames = 32",
            "icmp-error-burst = " + burst,
            "spare-ports = 0",
            "[http]",
            "[[port]]",
            "name = \"left\"",
            "device = \"xdp:r0\"",
            "[[port]]",
            "name = \"right\"",
            "device = \"xdp:r1\"",
            "");
    }

    private static List<String> command(final UnitFile unit)
    {
        final List<String> command = new ArrayList<>(unit.setpriv());
        command.addAll(List.of("env", "NOTIFY_SOCKET=" + NOTIFY + "/socket",
            "WATCHDOG_USEC=" + TimeUnit.SECONDS.toMicros(2),
            "RUNTIME_DIRECTORY=/run/" + unit.value("RuntimeDirectory")));
        command.addAll(unit.command("edge"));
        return command;
    }

    /** Yields the next message that matches, while the program runs. */
    private static String await(
        final NotifyReceiver manager, final ChildProcess program, final Predicate<String> wanted)
    {
        final long deadline = System.nanoTime() + PATIENCE.toNanos();
        String message = "";
        while (!wanted.test(message))
        {
            assertTrue(System.nanoTime() - deadline < 0, () -> "no such message: " + program.errors());
            message = manager.receive(1000);
            assertTrue(message != null || program.isAlive(), () -> "it ended: " + program.errors());
            message = message == null ? "" : message;
        }
        return message;
    }

    private String complete(final String line)
    {
        return root.run("bash", "-c", ". /usr/share/bash-completion/completions/fibnuma; COMP_WORDS=(" + line + "); " +
            "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _complete_fibnuma; echo \"${COMPREPLY[*]}\"").strip();
    }

    private List<String> systemctlCalls()
    {
        return root.run("cat", "/run/systemctl.log").lines().collect(Collectors.toList());
    }

    /** The package with a higher version and another example. */
    private Path successor() throws IOException
    {
        final Path unpacked = directory.resolve("unpacked");
        final Path built = directory.resolve("next.deb");
        ChildProcess.run(PATIENCE, "dpkg-deb", "-R", deb.toString(), unpacked.toString());
        final Path control = unpacked.resolve("DEBIAN/control");
        Files.writeString(control, Files.readString(control).replaceFirst("(?m)^(Version: .*)$", "$1+next"));
        final Path example = unpacked.resolve("etc/fibnuma/router.toml");
        Files.writeString(example, Files.readString(example) + "# changed in this version\n");
        ChildProcess.run(PATIENCE, "dpkg-deb", "-Znone", "-b", unpacked.toString(), built.toString());
        return built;
    }
}
