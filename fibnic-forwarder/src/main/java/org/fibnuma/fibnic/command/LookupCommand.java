package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.multipath.Flow;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

import java.io.IOException;

/** Prints the adjacency that a running router uses for an address. */
@Command(
    name = "lookup",
    mixinStandardHelpOptions = true,
    description = "Prints where a running router sends frames to an address.",
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma lookup 192.0.2.1",
        "  fibnuma lookup 192.0.2.1 --flow 10.0.0.2,192.0.2.1,tcp,40000,443 --json"
    })
final class LookupCommand extends RouterQuery
{
    @Parameters(
        paramLabel = "ADDRESS",
        description = "IPv4 or IPv6 address, such as 192.0.2.1.",
        converter = Converter.class)
    private IpAddress address;

    @Option(
        names = "--flow",
        paramLabel = "SRC,DST,PROTO,SPORT,DPORT",
        description = "Of several next hops the one that a flow takes, such as 10.0.0.2,192.0.2.1,tcp,40000,443. DST " +
            "is ADDRESS. A sixth field is the IPv6 flow label.",
        converter = FlowConverter.class)
    private String flow;

    @Override
    int ask(final ControlClient client) throws IOException
    {
        final ObjectNode request = ControlProtocol.request("lookup").put("address", address.toString());
        print(client.ask(flow == null ? request : request.put("flow", flow)));
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

    /** Tests that a text is a flow, which the router parses again; anything else is wrong usage. */
    static final class FlowConverter implements ITypeConverter<String>
    {
        @Override
        public String convert(final String text)
        {
            try
            {
                Flow.parse(text);
                return text;
            }
            catch (final IllegalArgumentException ex)
            {
                throw new TypeConversionException(ex.getMessage());
            }
        }
    }
}
