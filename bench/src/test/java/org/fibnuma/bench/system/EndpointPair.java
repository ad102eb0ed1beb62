package org.fibnuma.bench.system;

import org.agrona.CloseHelper;
import org.fibnuma.core.service.netns.ChildProcess;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.service.netns.JavaProgram;
import org.fibnuma.ipnuma.client.AnswerListener;
import org.fibnuma.ipnuma.client.EndpointClient;
import org.fibnuma.ipnuma.client.RemoteWindow;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Two endpoints with metrics, each in a namespace and connected by a cable. The near one has the identifier 1, the far
 * one 2; both have a third peer that does not exist.
 */
final class EndpointPair implements AutoCloseable
{
    private static final String IPNUMA = "org.fibnuma.ipnuma.command.IpnumaCommand";
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final String name;
    private final Path directory;
    private final Host a;
    private final ChildProcess far;
    private ChildProcess near;
    private EndpointClient client;
    private Thread writer;

    /**
     * Connects two hosts by devices {@code va} and {@code vb}, and starts the endpoints.
     *
     * @param name      of the endpoints, with an a and a b added.
     * @param a         host of the near endpoint.
     * @param b         host of the far endpoint.
     * @param directory for their configurations, {@code a.toml} and {@code b.toml}.
     */
    EndpointPair(final String name, final Host a, final Host b, final Path directory) throws IOException
    {
        this.name = name;
        this.a = a;
        this.directory = directory;
        a.connect("va", b, "vb", 1500);
        a.address("va", "10.8.0.1/24");
        b.address("vb", "10.9.0.9/24");
        a.run("ip", "link", "set", "lo", "up");
        far = b.start(JavaProgram.command(IPNUMA, "endpoint", "-c", config("b", "vb", 2, 1)));
        boolean isStarted = false;
        try
        {
            startNear();
            far.awaitLine("ready"::equals, PATIENCE);
            isStarted = true;
        }
        finally
        {
            if (!isStarted)
            {
                close();
            }
        }
    }

    /** Starts the near endpoint, also again. */
    void startNear() throws IOException
    {
        near = a.start(JavaProgram.command(IPNUMA, "endpoint", "-c", config("a", "va", 1, 2)));
        near.awaitLine("ready"::equals, PATIENCE);
    }

    /** Ends the near endpoint. */
    void stopNear()
    {
        near.terminate();
        near.awaitExit(PATIENCE);
        near.close();
    }

    /** Returns the near endpoint. */
    ChildProcess near()
    {
        return near;
    }

    /** Returns the name of the near endpoint. */
    String nearName()
    {
        return name + "a";
    }

    /** Starts to write by the near endpoint into a region of the far one, once in 2 ms. */
    void startWrites() throws IOException
    {
        client = EndpointClient.connect(nearName(), AnswerListener.NONE);
        final RemoteWindow window = client.window(2, 1);
        writer = new Thread(() ->
        {
            for (long i = 0; !Thread.currentThread().isInterrupted(); i++)
            {
                window.putLong(0, i);
                window.flush();
                client.poll();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            }
        });
        writer.start();
    }

    /** Ends the writes, if there are any. */
    void stopWrites()
    {
        if (client == null)
        {
            return;
        }
        writer.interrupt();
        try
        {
            writer.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        client.close();
        client = null;
    }

    private String config(final String endpoint, final String device, final int id, final int peer) throws IOException
    {
        return Files.writeString(directory.resolve(endpoint + ".toml"), """
            [endpoint]
            name = "%s"
            device = "xdp:%s"
            address = "10.9.0.%d/24"
            [http]
            [[peer]]
            id = %d
            address = "10.9.0.%d"
            [[peer]]
            id = 3
            address = "10.9.0.3"
            [[region]]
            name = "box"
            key = "none"
            [[region]]
            name = "counters"
            size-kib = 1024
            access = "read+atomic"
            """.formatted(name + endpoint, device, id, peer, peer)).toString();
    }

    @Override
    public void close()
    {
        stopWrites();
        CloseHelper.closeAll(near, far);
    }
}
