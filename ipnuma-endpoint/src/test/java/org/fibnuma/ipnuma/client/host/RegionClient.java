package org.fibnuma.ipnuma.client.host;

import org.fibnuma.ipnuma.client.AnswerListener;
import org.fibnuma.ipnuma.client.EndpointClient;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Adds a region and holds it for half a minute or until it is killed. */
public final class RegionClient
{
    private RegionClient()
    {
    }

    /**
     * Prints {@code r} when it has the region.
     *
     * @param arguments directory of the endpoint, name of the region.
     */
    public static void main(final String[] arguments)
    {
        final EndpointClient client = EndpointClient.connect(Path.of(arguments[0]), AnswerListener.NONE);
        client.addRegion(arguments[1], 4096, 1, "10.9.0.0/24");
        System.out.print('r');
        System.out.flush();
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(30));
    }
}
