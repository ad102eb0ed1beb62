package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.control.ipc.ControlClient;
import org.fibnuma.fibnic.control.ipc.ControlProtocol;
import org.fibnuma.fibnic.multipath.Flow;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

import java.io.IOException;
import java.util.function.Function;

/** Prints the adjacency that a running router uses for an address or a prefix. */
@Command(
    name = "lookup",
    mixinStandardHelpOptions = true,
    description = {
        "Prints where a running router sends frames to an address.",
        "For a prefix it prints the route of the prefix itself (match exact) or, without one, that of the longest " +
            "prefix that covers it (match covering). Routes inside the prefix: show routes --under PREFIX."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma lookup 192.0.2.1",
        "  fibnuma lookup 192.0.2.0/24",
        "  fibnuma lookup 192.0.2.1 --flow 10.0.0.2,192.0.2.1,tcp,40000,443 --json"
    })
final class LookupCommand extends RouterQuery
{
    @Parameters(
        paramLabel = "ADDRESS|PREFIX",
        description = "IPv4 or IPv6 address, such as 192.0.2.1, or prefix, such as 192.0.2.0/24.",
        converter = Converter.class)
    private String destination;

    @Option(
        names = "--flow",
        paramLabel = "SRC,DST,PROTO,SPORT,DPORT",
        description = "Of several next hops the one that a flow takes, such as 10.0.0.2,192.0.2.1,tcp,40000,443. DST " +
            "is ADDRESS, not a prefix. A sixth field is the IPv6 flow label.",
        converter = FlowConverter.class)
    private String flow;

    @Mixin
    private TableOption table;

    @Override
    int ask(final ControlClient client) throws IOException
    {
        final boolean isPrefix = isPrefix(destination);
        refuse(isPrefix && flow != null, "--flow: give the address of its destination, not a prefix");
        final ObjectNode request = ControlProtocol.request("lookup").put(isPrefix ? "prefix" : "address", destination);
        table.addTo(request);
        print(client.ask(flow == null ? request : request.put("flow", flow)));
        return FibnumaCommand.OK;
    }

    private static boolean isPrefix(final String text)
    {
        return text.indexOf('/') >= 0;
    }

    private static Object parse(final String text, final Function<String, Object> parser)
    {
        try
        {
            return parser.apply(text);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new TypeConversionException(ex.getMessage());
        }
    }

    /** Accepts an IPv4 or IPv6 address or prefix; another text is wrong usage. */
    static final class Converter implements ITypeConverter<String>
    {
        @Override
        public String convert(final String text)
        {
            return parse(text, value -> isPrefix(value) ? IpPrefix.parse(value) : IpAddress.parse(value)).toString();
        }
    }

    /** Accepts a flow, which the router parses again; another text is wrong usage. */
    static final class FlowConverter implements ITypeConverter<String>
    {
        @Override
        public String convert(final String text)
        {
            parse(text, Flow::parse);
            return text;
        }
    }
}
