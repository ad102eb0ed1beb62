package org.fibnuma.binding.rtnetlink;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.fibnuma.binding.libc.KernelVariable;
import org.fibnuma.binding.libc.NetworkNamespace;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A network namespace of the test's own, changed and listed by iproute2. */
final class KernelNamespace implements AutoCloseable
{
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final String name = "fibnl" + ProcessHandle.current().pid() + "-" + NEXT.getAndIncrement();

    KernelNamespace()
    {
        run(List.of("ip", "netns", "add", name));
        ip("link set lo up");
    }

    String name()
    {
        return name;
    }

    /** A conversation with this namespace's kernel. */
    RtnetlinkKernelNetwork open(final int receiveBufferLength)
    {
        return NetworkNamespace.call(name, () -> RtnetlinkKernelNetwork.open(receiveBufferLength));
    }

    /** Runs one command of iproute2 here; it must succeed. */
    String ip(final String arguments)
    {
        return run(command("ip", "-n", name, arguments));
    }

    /** Sets a kernel variable below {@code net}, such as {@code ipv4.ip_forward}. */
    void sysctl(final String variable, final String value)
    {
        KernelVariable.set(name, variable, value);
    }

    /** Runs many commands of iproute2 here in one process; failures are reported by it and passed over. */
    void ipBatch(final File commands)
    {
        run(List.of("ip", "-n", name, "-force", "-batch", commands.getPath()));
    }

    /** Runs commands of iproute2 here in one process; all must succeed. */
    void ipEach(final String... commands)
    {
        run(List.of("ip", "-n", name, "-batch", "-"), String.join("\n", commands));
    }

    /** What iproute2 prints for some commands, all given to one process. */
    List<JsonNode> ipJson(final String... commands)
    {
        final String text = run(List.of("ip", "-n", name, "-d", "-j", "-batch", "-"), String.join("\n", commands));
        final List<JsonNode> nodes = new ArrayList<>();
        try (JsonParser parser = new ObjectMapper().createParser(text))
        {
            for (JsonNode node = parser.readValueAsTree(); node != null; node = parser.readValueAsTree())
            {
                nodes.add(node);
            }
            return nodes;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public void close()
    {
        run(List.of("ip", "netns", "delete", name));
    }

    private static List<String> command(final String... parts)
    {
        final List<String> command = new ArrayList<>(List.of(parts).subList(0, parts.length - 1));
        command.addAll(List.of(parts[parts.length - 1].split(" ")));
        return command;
    }

    private static String run(final List<String> command)
    {
        return run(command, "");
    }

    private static String run(final List<String> command, final String input)
    {
        try
        {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (OutputStream standardInput = process.getOutputStream())
            {
                standardInput.write(input.getBytes(StandardCharsets.UTF_8));
            }
            final ByteArrayOutputStream output = new ByteArrayOutputStream();
            process.getInputStream().transferTo(output);
            if (process.waitFor() != 0 && !command.contains("-force"))
            {
                throw new AssertionError(String.join(" ", command) + ": " + output);
            }
            return output.toString();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new AssertionError(ex);
        }
    }
}
