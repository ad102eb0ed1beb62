package org.fibnuma.bench.router;

import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.bench.lab.RouterProcess;
import org.fibnuma.core.Signal;
import org.fibnuma.core.service.host.RunDirectory;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.routes.RouteList;
import org.fibnuma.fibnic.routes.RouteTableGenerator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Signals that end the router while it compares a table: it ends in order, and whoever asked is answered. */
@NamespaceTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(900)
class VerificationEndSystemTest
{
    /** Compared in seconds, which leaves room for the moments; a full table takes longer and has no other steps. */
    private static final int ROUTES = 200_000;
    private static final int ROUNDS = 6;
    private static final String MAIN_CLASS = "org.fibnuma.fibnic.command.FibnumaCommand";
    private static final String CANCELLED = "the router is stopping: the verification was cancelled";
    private static final String ENDED = "ended before it answered";
    private static final long PATIENCE_S = 120;

    @TempDir
    private static Path directory;
    @AutoClose
    private final RouterLifeLab lab = RouterLifeLab.open();
    private Path routesFile;

    @BeforeAll
    void open() throws IOException
    {
        routesFile = directory.resolve("routes.txt");
        final RouteList routes = new RouteTableGenerator().generate(ROUTES);
        final int first = Ipv4Address.parse("10.0.1.100") - RouteTableGenerator.FIRST_NEXT_HOP;
        try (BufferedWriter writer = Files.newBufferedWriter(routesFile))
        {
            for (int i = 0; i < routes.size(); i++)
            {
                writer.write(Ipv4Address.format(routes.prefix(i)) + "/" + routes.length(i) + " " +
                    Ipv4Address.format(first + routes.nextHop(i)) + "\n");
            }
        }
    }

    /** The moments are spread over the length of a verification that nothing disturbs. */
    @Test
    void shouldEndInOrderAtAnyMomentOfAVerification(final TestReporter reporter) throws Exception
    {
        final long seed = System.nanoTime();
        reporter.publishEntry("seed", Long.toString(seed));
        final Random random = new Random(seed);
        long lengthNs = 0;
        for (int round = 0; round < ROUNDS; round++)
        {
            try (RouterProcess router = start(); ControlClient client = lab.client())
            {
                lengthNs = round == 0 ? lengthOfAVerification(client) : lengthNs;
                final long delayNs = (long)((round + random.nextDouble()) * lengthNs / ROUNDS);
                final String when = "seed " + seed + ", " + TimeUnit.NANOSECONDS.toMillis(delayNs) + " of " +
                    TimeUnit.NANOSECONDS.toMillis(lengthNs) + " ms: ";
                final CompletableFuture<String> answer = new CompletableFuture<>();
                new Thread(() -> answer.complete(verify(client)), "asks").start();
                TimeUnit.NANOSECONDS.sleep(delayNs);
                assertEndsInOrder(router, round % 2 == 0 ? "TERM" : "INT", when);
                final String text = answer.get(PATIENCE_S, TimeUnit.SECONDS);
                reporter.publishEntry(when, text);
                assertTrue(List.of(CANCELLED, "equal: true").contains(text) || text.endsWith(ENDED), when + text);
            }
        }
    }

    /** The command that a user has waiting when the router is stopped. */
    @Test
    void shouldTellTheCommandThatItWasCancelled() throws Exception
    {
        try (RouterProcess router = start();
            ChildProcess command = ChildProcess.start(JavaProgram.command(MAIN_CLASS, "verify", "--name", lab.name())))
        {
            awaitVerification(router);
            assertEndsInOrder(router, "TERM", "");
            assertEquals(1, command.awaitExit(RouterLifeLab.PATIENCE), () -> String.join("\n", command.errors()));
            assertEquals(List.of("fibnuma: " + CANCELLED), command.errors());
        }
    }

    private RouterProcess start()
    {
        return lab.startConfigured(lab.config("routes-file = \"" + routesFile + "\""),
            "-XX:ErrorFile=" + directory.resolve("hs_err_%p.log"), "-XX:-CreateCoredumpOnCrash");
    }

    private static long lengthOfAVerification(final ControlClient client)
    {
        final long start = System.nanoTime();
        assertEquals("equal: true", verify(client));
        return System.nanoTime() - start;
    }

    private static String verify(final ControlClient client)
    {
        try
        {
            return "equal: " + client.ask(ControlProtocol.request("verify")).get("equal").asBoolean();
        }
        catch (final IOException ex)
        {
            return ex.getMessage();
        }
    }

    /** By the name of the thread that verifies; the kernel has it. */
    private static void awaitVerification(final RouterProcess router) throws Exception
    {
        final Path threads = Path.of("/proc", Long.toString(router.pid()), "task");
        while (true)
        {
            try (Stream<Path> tasks = Files.list(threads))
            {
                if (tasks.anyMatch(task -> "verify".equals(nameOf(task))))
                {
                    return;
                }
            }
            assertTrue(router.isAlive(), () -> String.join("\n", router.errors()));
            Thread.sleep(1);
        }
    }

    private static String nameOf(final Path task)
    {
        try
        {
            return Files.readString(task.resolve("comm")).strip();
        }
        catch (final IOException ex)
        {
            return "a thread that has ended";
        }
    }

    private void assertEndsInOrder(final RouterProcess router, final String signal, final String when)
        throws IOException
    {
        Signal.send(signal, router.pid());
        assertEquals(0, router.awaitEnd(), () -> when + String.join("\n", router.errors()));
        try (Stream<Path> files = Files.list(directory))
        {
            assertEquals(List.of(routesFile), files.toList(), () -> when + String.join("\n", router.errors()));
        }
        final String end = " ends: SIG" + signal;
        assertTrue(router.errors().stream().noneMatch(line ->
            line.contains("SIG") && !line.endsWith(end) || line.contains("Exception")),
            () -> when + String.join("\n", router.errors()));
        assertFalse(Files.exists(RunDirectory.controlSocketOf(lab.name())), when + "its socket is there");
        assertFalse(lab.hasProgram("r0"), when + "its program is there");
    }
}
