package org.fibnuma.ipnuma.endpoint;

import org.fibnuma.core.ChildJvm;
import org.fibnuma.core.counter.CountersFile;
import org.fibnuma.core.counter.CountersFileReader;
import org.fibnuma.ipnuma.command.IpnumaCommand;
import org.fibnuma.ipnuma.memory.RegionMapping;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The command {@code ipnuma endpoint} in a process of its own, with one peer and one region that anybody may write. */
final class EndpointProcess implements AutoCloseable
{
    static final int BOX = 1;

    private final String name;
    private final Path file;
    private Process process;

    EndpointProcess(final Path directory, final String name, final String device, final int id, final int peer)
        throws IOException
    {
        this.name = name;
        file = Files.writeString(directory.resolve(name + ".toml"),
            "[endpoint]\nname = \"" + name + "\"\ndevice = \"" + device + "\"\nidle = \"backoff\"\n" +
                "mac = \"02:00:00:00:00:0" + id + "\"\naddress = \"10.9.0." + id + "/24\"\n" +
                "[[peer]]\nid = " + peer + "\naddress = \"10.9.0." + peer + "\"\n" +
                "[[region]]\nname = \"box\"\nid = " + BOX + "\nsize-kib = 64\n" +
                "access = \"write+read+atomic\"\nkey = \"none\"\n");
    }

    void start() throws IOException
    {
        process = ChildJvm.start(IpnumaCommand.class, "endpoint", "-c", file.toString());
    }

    /** With the flags of the launcher. */
    void startServing() throws IOException
    {
        process = ChildJvm.startServing(IpnumaCommand.class, "endpoint", "-c", file.toString());
    }

    boolean isAlive()
    {
        return process.isAlive();
    }

    /** Returns when it takes frames. */
    void awaitReady() throws IOException
    {
        assertEquals("ready\n", new String(process.getInputStream().readNBytes(6), StandardCharsets.US_ASCII));
    }

    /** Without a chance to say or to tidy anything. */
    void kill()
    {
        process.destroyForcibly().onExit().join();
    }

    String name()
    {
        return name;
    }

    /** Its region, whether it lives or not. */
    RegionMapping box()
    {
        return RegionMapping.open(directory().resolve("regions/box"));
    }

    long counter(final String label)
    {
        final long[] found = {-1};
        try (CountersFileReader reader = CountersFileReader.open(directory()))
        {
            reader.counters().forEach((value, id, text) ->
            {
                if (text.equals(label))
                {
                    found[0] = value;
                }
            });
        }
        return found[0];
    }

    Path directory()
    {
        return CountersFile.directoryOf(name);
    }

    @Override
    public void close() throws IOException
    {
        if (process != null)
        {
            process.destroy();
            process.onExit().completeOnTimeout(process, 5, TimeUnit.SECONDS).join();
            kill();
        }
        if (Files.exists(directory()))
        {
            try (Stream<Path> left = Files.walk(directory()))
            {
                final List<Path> paths = left.sorted(Comparator.reverseOrder()).toList();
                for (final Path path : paths)
                {
                    Files.deleteIfExists(path);
                }
            }
        }
    }
}
