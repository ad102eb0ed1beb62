package org.fibnuma.fibnic.command;

import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

import java.io.IOException;

/** Prints the adjacency that a running router uses for an address. */
@Command(
    name = "lookup",
    mixinStandardHelpOptions = true,
    description = "Where a running router sends frames to an address.")
final class LookupCommand extends RouterQuery
{
    @Parameters(
        paramLabel = "ADDRESS",
        description = "IPv4 or IPv6 address, such as 192.0.2.1.",
        converter = Converter.class)
    private IpAddress address;

    @Override
    int ask(final ControlClient client) throws IOException
    {
        print(client.ask(ControlProtocol.request("lookup").put("address", address.toString())));
        return FibnumaCommand.OK;
    }

    /** Parses an IPv4 or IPv6 address; anything else is wrong usage. */
    static final class Converter implements ITypeConverter<IpAddress>
    {
        @Override
        public IpAddress convert(final String text)
        {
            try
            {
                return IpAddress.parse(text);
            }
            catch (final IllegalArgumentException ex)
            {
                throw new TypeConversionException(ex.getMessage());
            }
        }
    }
}
