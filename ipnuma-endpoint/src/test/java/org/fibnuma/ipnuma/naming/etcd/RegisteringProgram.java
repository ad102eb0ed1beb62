package org.fibnuma.ipnuma.naming.etcd;

import java.net.URI;
import java.util.List;

/** Registers an endpoint until it is killed: arguments are the URL, the lease in seconds, the name. */
final class RegisteringProgram
{
    private RegisteringProgram()
    {
    }

    public static void main(final String[] args) throws InterruptedException
    {
        final DirectorySettings settings = new DirectorySettings(
            List.of(URI.create(args[0])), DirectorySettings.DEFAULT_PREFIX, Integer.parseInt(args[1]), null, null,
            null);
        DirectoryRegistration.start(settings, new DirectoryEntry(args[2], 1, 1, null, List.of()));
        Thread.currentThread().join();
    }
}
