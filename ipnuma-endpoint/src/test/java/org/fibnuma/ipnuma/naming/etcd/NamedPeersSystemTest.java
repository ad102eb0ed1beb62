package org.fibnuma.ipnuma.naming.etcd;

import org.fibnuma.core.Require;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.JavaProgram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two endpoint processes on one host that know each other only by their names in Debian's etcd. */
@Timeout(300)
class NamedPeersSystemTest
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String MAIN = "org.fibnuma.ipnuma.command.IpnumaCommand";

    private final String left = "left" + ProcessHandle.current().pid();
    private final String right = "right" + ProcessHandle.current().pid();
    @TempDir
    private Path directory;
    private EtcdProcess etcd;
    private ChildProcess leftEndpoint;
    private ChildProcess rightEndpoint;

    @BeforeEach
    void start() throws IOException
    {
        Require.program("etcd", "etcd-server");
        Require.program("etcdctl", "etcd-client");
        etcd = new EtcdProcess(directory.resolve("data"), null);
        etcd.start();
    }

    @AfterEach
    void stop()
    {
        Stream.of(leftEndpoint, rightEndpoint).filter(endpoint -> endpoint != null).forEach(ChildProcess::close);
        if (etcd != null)
        {
            etcd.close();
        }
    }

    private ChildProcess endpoint(final String name, final String address, final String peer) throws IOException
    {
        final Path file = directory.resolve(name + ".toml");
        Files.writeString(file, String.join("\n",
            "[endpoint]",
            "name = \"" + name + "\"",
            "device = \"shm:named" + ProcessHandle.current().pid() + (name.equals(left) ? "" : "@far") + "\"",
            "address = \"" + address + "/24\"",
            "[directory]",
            "etcd = [\"" + etcd.uri() + "\"]",
            "lease-seconds = 2",
            "[[peer]]",
            "id = 9",
            "endpoint = \"" + peer + "\"",
            "[[region]]",
            "name = \"box\"",
            "id = 1",
            "key = \"none\"",
            "access = \"write+read\""));
        final ChildProcess endpoint =
            ChildProcess.startTied(JavaProgram.command(MAIN, "endpoint", "-c", file.toString()));
        endpoint.awaitLine("ready"::equals, PATIENCE);
        return endpoint;
    }

    /** Waits until the log has a line that it did not have before. */
    private static void await(final ChildProcess endpoint, final String text, final int times)
    {
        final long start = System.nanoTime();
        while (count(endpoint, text) < times)
        {
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(PATIENCE.toSeconds()),
                () -> text + " " + times + " times in\n" + String.join("\n", endpoint.errors()) +
                    String.join("\n", endpoint.output()));
            Thread.onSpinWait();
        }
    }

    private static long count(final ChildProcess endpoint, final String text)
    {
        return Stream.concat(endpoint.errors().stream(), endpoint.output().stream())
            .filter(line -> line.contains(text)).count();
    }

    private String ipnuma(final String... arguments)
    {
        return ChildProcess.run(PATIENCE, JavaProgram.command(List.of("-XX:TieredStopAtLevel=1"), MAIN, arguments));
    }

    private void writeAndRead(final String text)
    {
        ipnuma("write", "--name", left, "--peer", "9", "--region", "1", "--text", text);
        assertEquals(text, read("--region", "1", "--length", Integer.toString(text.length())));
    }

    private String read(final String... options)
    {
        return ipnuma(Stream.concat(
            Stream.of("read", "--name", left, "--peer", "9", "--as", "text"), Stream.of(options))
            .toArray(String[]::new));
    }

    @Test
    void shouldFindEachOtherWithoutARestart() throws IOException
    {
        leftEndpoint = endpoint(left, "10.9.0.1", right);
        rightEndpoint = endpoint(right, "10.9.0.2", left);
        await(leftEndpoint, "peer 9 10.9.0.2 added", 1);
        writeAndRead("found");
        final String listed = ipnuma("directory", "--etcd", etcd.uri().toString());
        assertTrue(listed.matches("(?s)endpoint +address +names +regions\n" +
            left + " +10\\.9\\.0\\.1 +- +box \\(id 1, 65536 bytes, .*" + right + " +10\\.9\\.0\\.2 .*"), listed);
        assertEquals("found", read(
            "--etcd", etcd.uri().toString(), "--endpoint", right, "--region", "box", "--length", "5"));

        rightEndpoint.kill();
        await(leftEndpoint, "peer 9 10.9.0.2 removed", 1);

        rightEndpoint = endpoint(right, "10.9.0.3", left);
        await(leftEndpoint, "peer 9 10.9.0.3 added", 1);
        writeAndRead("moved");

        etcd.kill();
        writeAndRead("alone");
        etcd.start();
        writeAndRead("again");
        assertEquals(0, count(leftEndpoint, "10.9.0.3 removed"));
    }
}
