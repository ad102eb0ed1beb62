package org.fibnuma.bench.lab;

import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.ipnuma.config.EndpointConfig;
import org.fibnuma.ipnuma.config.EndpointConfigReader;
import org.fibnuma.ipnuma.demo.EndpointAddress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The configuration of an endpoint with one peer and the directory of ports that streams need. */
public final class StreamEndpointFile
{
    private StreamEndpointFile()
    {
    }

    /**
     * Writes the file {@code ID.toml}. The endpoints have the addresses 10.9.0.ID.
     *
     * @param directory to write to.
     * @param name      of the endpoint.
     * @param device    of the endpoint, such as {@code shm:link}.
     * @param id        PC ID of the endpoint at its peer, 1 to 254.
     * @param peer      PC ID of the peer, 1 to 254.
     * @param setting   a further line of the table {@code [endpoint]}, may be empty.
     * @return the file.
     * @throws IOException if it cannot be written.
     */
    public static Path write(
        final Path directory, final String name, final String device, final int id, final int peer,
        final String setting) throws IOException
    {
        return write(directory, name, device, EndpointAddress.of(id), EndpointAddress.of(peer), setting);
    }

    /**
     * Writes the file as {@link #write(Path, String, String, int, int, String)} does, with other addresses.
     *
     * @param own  address of the endpoint.
     * @param peer address of the peer.
     */
    public static Path write(
        final Path directory, final String name, final String device, final EndpointAddress own,
        final EndpointAddress peer, final String setting) throws IOException
    {
        return Files.writeString(directory.resolve(own.id() + ".toml"), """
            [endpoint]
            name = "%s"
            device = "%s"
            %s
            %s
            [[peer]]
            id = %d
            address = "%s"
            [[region]]
            name = "streams"
            id = 100
            size-kib = 2048
            access = "read"
            key = "none"
            """.formatted(name, device, own.toToml(), setting, peer.id(), peer.ipv4()));
    }

    /** Reads a file that {@link #write} has written. */
    public static EndpointConfig read(final Path file)
    {
        try
        {
            return EndpointConfigReader.read(file);
        }
        catch (final ConfigException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
