package org.fibnuma.fibnic.command;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.wire.IpAddress;
import org.fibnuma.core.wire.IpProtocol;
import org.fibnuma.fibnic.acl.AccessCheck;
import org.fibnuma.fibnic.acl.AccessKeys;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessPacket;
import org.fibnuma.fibnic.acl.AccessProtocols;
import org.fibnuma.fibnic.acl.AccessRule;
import org.fibnuma.fibnic.acl.PortRange;
import org.fibnuma.fibnic.acl.TcpFlags;
import org.fibnuma.fibnic.config.ConfigReader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code fibnuma acl}: works on access lists without a router. */
@Command(
    name = "acl",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = "Works on the access lists of a configuration.",
    subcommands = AclCommand.Check.class,
    footerHeading = "%nExamples:%n",
    footer = "  fibnuma acl check router.toml")
final class AclCommand implements Runnable
{
    @CommandLine.Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        throw new CommandLine.ParameterException(spec.commandLine(), "missing command; use check");
    }

    @Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Checks the tables [[acl]] of a configuration: rules that no packet reaches, and redundant rules.",
            "With --frame it prints the rule of each list that decides about one packet.",
            "Exit status: 0 every rule is reached, 1 some are not, 2 wrong usage or configuration."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fibnuma acl check router.toml",
            "  fibnuma acl check --frame source=10.0.0.2,destination=192.0.2.1,protocol=tcp,destination-port=80 " +
                "router.toml"
        })
    static final class Check implements Callable<Integer>
    {
        private static final int MAX_PROTOCOL_FIELD = 255;
        private static final int MAX_DSCP = 63;

        @CommandLine.Spec
        private CommandSpec spec;

        @Parameters(paramLabel = "FILE", description = "Configuration (TOML).")
        private Path file;

        @Option(
            names = "--frame", split = ",", paramLabel = "KEY=VALUE",
            description = "The rule that decides about a packet, such as " +
                "source=10.0.0.2,destination=192.0.2.1,protocol=tcp,destination-port=80,tcp-flags=syn+ack. " +
                "Keys: source, destination, protocol, source-port, destination-port, icmp-type, icmp-code, " +
                "tcp-flags, dscp, fragment (none, first or later). Missing keys are 0.")
        private Map<String, String> frame;

        @Option(names = "--json", description = "Print JSON.")
        private boolean json;

        @Override
        public Integer call()
        {
            final AccessPacket packet = frame == null ? null : packet();
            final List<AccessList> lists;
            try
            {
                lists = ConfigReader.readAccessLists(file);
            }
            catch (final ConfigException ex)
            {
                ex.problems().forEach(spec.commandLine().getErr()::println);
                spec.commandLine().getErr().flush();
                return FibnumaCommand.USAGE;
            }
            final ObjectNode answer = JsonNodeFactory.instance.objectNode();
            final boolean isReached = packet == null ? findings(lists, answer) : decisions(lists, packet, answer);
            final PrintWriter out = spec.commandLine().getOut();
            if (json)
            {
                out.println(answer.toPrettyString());
            }
            else
            {
                answer.properties().forEach(entry -> entry.getValue().forEach(row -> out.println(
                    file + ":" + row.get("line").asInt() + ": " + row.get("list").asText() + ": " +
                    row.get("text").asText())));
                if (packet == null && answer.get("findings").isEmpty())
                {
                    out.println(file + ": ok");
                }
            }
            out.flush();
            return isReached ? FibnumaCommand.OK : FibnumaCommand.FAILED;
        }

        private static boolean findings(final List<AccessList> lists, final ObjectNode answer)
        {
            final ArrayNode rows = answer.putArray("findings");
            boolean isReached = true;
            for (final AccessList list : lists)
            {
                final AccessCheck check = new AccessCheck(list);
                for (final AccessCheck.Finding finding : check.findings())
                {
                    isReached &= !finding.unreachable();
                    rows.addObject()
                        .put("list", list.name())
                        .put("line", list.rules().get(finding.rule()).line())
                        .put("rule", finding.rule() + 1)
                        .put("unreachable", finding.unreachable())
                        .put("text", finding.text());
                }
                if (!check.isExact())
                {
                    rows.addObject().put("list", list.name()).put("line", list.rules().get(0).line())
                        .put("rule", 0).put("unreachable", false)
                        .put("text", "has too many combinations of conditions to compare all; only rules that one " +
                            "earlier rule covers were found");
                }
            }
            return isReached;
        }

        private static boolean decisions(
            final List<AccessList> lists, final AccessPacket packet, final ObjectNode answer)
        {
            final ArrayNode rows = answer.putArray("decisions");
            for (final AccessList list : lists)
            {
                final int rule = list.deciding(packet);
                final boolean isDefault = rule == list.rules().size();
                rows.addObject()
                    .put("list", list.name())
                    .put("line", isDefault ? 0 : list.rules().get(rule).line())
                    .put("rule", rule + 1)
                    .put("action", list.actionOf(rule).key())
                    .put("text", isDefault ? list.defaultAction().key() + " (default)" :
                        "rule " + (rule + 1) + " " + list.rules().get(rule).text());
            }
            return true;
        }

        private AccessPacket packet()
        {
            try
            {
                final Map<String, String> fields = new HashMap<>(frame);
                final AccessPacket packet = packet(fields);
                if (!fields.isEmpty())
                {
                    throw new IllegalArgumentException("unknown key " + String.join(", ", fields.keySet()));
                }
                return packet;
            }
            catch (final IllegalArgumentException ex)
            {
                throw new CommandLine.ParameterException(spec.commandLine(), "--frame: " + ex.getMessage(), ex);
            }
        }

        private static AccessPacket packet(final Map<String, String> fields)
        {
            if (!fields.containsKey("source") || !fields.containsKey("destination"))
            {
                throw new IllegalArgumentException("give source and destination");
            }
            final IpAddress source = IpAddress.parse(fields.remove("source"));
            final IpAddress destination = IpAddress.parse(fields.remove("destination"));
            if (source.isIpv4() != destination.isIpv4())
            {
                throw new IllegalArgumentException("source and destination are not of one family");
            }
            final int protocol = fields.containsKey("protocol") ?
                AccessProtocols.parse(fields.remove("protocol")) : 0;
            final int dscp = number(fields, "dscp", MAX_DSCP);
            final int state = state(fields.remove("fragment"));
            if (state == AccessKeys.LATER_FRAGMENT)
            {
                return new AccessPacket(source, destination, protocol, 0, 0, 0, dscp, state);
            }
            final boolean isIcmp = AccessRule.isIcmp(protocol);
            final int highest = AccessRule.hasPorts(protocol) ? PortRange.ANY.last() : isIcmp ? MAX_PROTOCOL_FIELD : 0;
            final String flags = protocol == IpProtocol.TCP ? fields.remove("tcp-flags") : null;
            return new AccessPacket(
                source, destination, protocol,
                number(fields, isIcmp ? "icmp-type" : "source-port", highest),
                number(fields, isIcmp ? "icmp-code" : "destination-port", highest),
                flags == null ? 0 : TcpFlags.value(TcpFlags.parse(flags.replace('+', ','))), dscp, state);
        }

        private static int state(final String fragment)
        {
            return switch (fragment == null ? "none" : fragment)
            {
                case "none" -> AccessKeys.WHOLE;
                case "first" -> AccessKeys.FIRST_FRAGMENT;
                case "later" -> AccessKeys.LATER_FRAGMENT;
                default -> throw new IllegalArgumentException(
                    "fragment: \"" + fragment + "\" is not known; one of none, first, later");
            };
        }

        private static int number(final Map<String, String> fields, final String key, final int highest)
        {
            final String text = fields.remove(key);
            if (text == null)
            {
                return 0;
            }
            final int number = text.matches("\\d{1,5}") ? Integer.parseInt(text) : -1;
            if (number < 0 || number > highest)
            {
                throw new IllegalArgumentException(key + ": \"" + text + "\" is not in 0 to " + highest);
            }
            return number;
        }
    }
}
