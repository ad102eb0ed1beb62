package org.fibnuma.fibnic.config;

import org.fibnuma.core.service.config.ConfigException;
import org.fibnuma.core.wire.IpPrefix;
import org.fibnuma.fibnic.acl.AccessAction;
import org.fibnuma.fibnic.acl.AccessList;
import org.fibnuma.fibnic.acl.AccessRule;
import org.fibnuma.fibnic.acl.FragmentMatch;
import org.fibnuma.fibnic.acl.PortRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class AccessListReaderTest
{
    private static final String PORT = "[[port]]\nname = \"left\"\ndevice = \"xdp:r0\"\n";

    @TempDir
    private Path folder;

    private Path file(final String text) throws IOException
    {
        return Files.writeString(folder.resolve("router.toml"), text);
    }

    private String problem(final String text) throws IOException
    {
        final Path file = file(text);
        final ConfigException ex = assertThrows(ConfigException.class, () -> ConfigReader.read(file));
        assertEquals(1, ex.problems().size(), ex.problems()::toString);
        return ex.problems().get(0).substring(file.toString().length());
    }

    @Test
    void shouldReadRulesAndTheirUses() throws Exception
    {
        final RouterConfig config = ConfigReader.read(file(PORT + String.join("\n",
            "acl-in = \"a\"", "acl-out = \"b\"",
            "[[acl]]", "name = \"a\"", "default = \"prohibit\"",
            "[[acl.rule]]", "action = \"permit\"", "source = \"10.0.0.0/8\"", "protocol = \"tcp\"",
            "source-port = \"1024-65535\"", "destination-port = \"22\"", "tcp-flags = \"syn, !ack\"", "dscp = 3",
            "fragments = \"first\"",
            "[[acl.rule]]", "action = \"count\"", "protocol = \"icmpv6\"", "icmp-type = 128", "icmp-code = 0",
            "[[acl]]", "name = \"b\"", "")));
        assertEquals("a", config.ports().get(0).aclIn());
        assertEquals("b", config.ports().get(0).aclOut());
        assertEquals(
            List.of(
                new AccessList("a", List.of(
                    new AccessRule(
                        true, false, IpPrefix.parse("10.0.0.0/8"), null, 6, new PortRange(1024, 65_535),
                        PortRange.of(22), 0x12, 0x02, 3, FragmentMatch.FIRST, AccessAction.PERMIT, 10),
                    new AccessRule(
                        false, true, null, null, 58, PortRange.of(128), PortRange.of(0), 0, 0, AccessRule.ANY,
                        FragmentMatch.ANY, AccessAction.COUNT, 19)), AccessAction.PROHIBIT),
                new AccessList("b", List.of(), AccessAction.DENY)),
            config.acls());
        assertEquals(
            "permit ipv4 protocol tcp source 10.0.0.0/8 source-port 1024-65535 destination-port 22 " +
            "tcp-flags syn,!ack dscp 3 fragments first",
            config.acls().get(0).rules().get(0).text());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "protocol = \"tcpp\" | :8: acl.rule.protocol: \"tcpp\" is not a protocol",
        "protocol = \"256\" | :8: acl.rule.protocol: \"256\" is not a protocol",
        "source = \"10.0.0.0/33\" | :8: acl.rule.source: ",
        "destination-port = \"80\" | :8: acl.rule.destination-port: needs a protocol with ports",
        "icmp-type = 8 | :8: acl.rule.icmp-type: needs protocol",
        "tcp-flags = \"syn\" | :8: acl.rule.tcp-flags: needs protocol = \"tcp\"",
        "dscp = 64 | :8: acl.rule.dscp: 64 is out of range",
        "fragments = \"some\" | :8: acl.rule.fragments: \"some\" is not known",
        "family = \"ip\" | :8: acl.rule.family: \"ip\" is not known",
        "colour = 1 | :8: acl.rule.colour: unknown key"})
    void shouldNameFileLineAndKeyOfABadRule(final String line, final String expected) throws IOException
    {
        final String problem =
            problem(PORT + "[[acl]]\nname = \"a\"\n[[acl.rule]]\naction = \"deny\"\n" + line + "\n");
        assertEquals(expected.strip(), problem.substring(0, Math.min(expected.strip().length(), problem.length())));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "tcp | destination-port = \"90-80\" | :9: acl.rule.destination-port: 90-80 is not a range",
        "tcp | destination-port = \"70000\" | :9: acl.rule.destination-port: 70000 is not a range",
        "tcp | destination-port = \"http\" | :9: acl.rule.destination-port: \"http\" is not a range",
        "tcp | tcp-flags = \"syn,xyz\" | :9: acl.rule.tcp-flags: \"xyz\" is not a TCP flag",
        "tcp | tcp-flags = \"syn,!syn\" | :9: acl.rule.tcp-flags: \"!syn\" is given twice",
        "icmp | icmp-type = 256 | :9: acl.rule.icmp-type: 256 is out of range",
        "icmp | icmp-code = 1 | :9: acl.rule.icmp-code: needs icmp-type",
        "icmp | source = \"2001:db8::/32\" | :8: acl.rule.protocol: is for ipv4, but the rule is for ipv6",
        "udp | source = \"2001:db8::/32\"\\ndestination = \"10.0.0.0/8\" | :10: acl.rule.destination: is for ipv4"})
    void shouldNameBadFieldsOfAProtocol(final String protocol, final String line, final String expected)
        throws IOException
    {
        final String problem = problem(PORT + "[[acl]]\nname = \"a\"\n[[acl.rule]]\naction = \"deny\"\nprotocol = \"" +
            protocol + "\"\n" + line.replace("\\n", "\n") + "\n");
        assertEquals(expected.strip(), problem.substring(0, Math.min(expected.strip().length(), problem.length())));
    }

    @Test
    void shouldRefuseListsThatCannotBe() throws IOException
    {
        assertEquals(":4: port.acl-in: \"x\" is no access list of this file; one of a",
            problem(PORT + "acl-in = \"x\"\n[[acl]]\nname = \"a\"\n"));
        assertEquals(":7: acl.name: \"a\" is the list of line 5; give another",
            problem(PORT + "[[acl]]\nname = \"a\"\n[[acl]]\nname = \"a\"\n"));
        assertEquals(":6: acl.default: \"count\" is not known; one of permit, deny, prohibit",
            problem(PORT + "[[acl]]\nname = \"a\"\ndefault = \"count\"\n"));
        assertEquals(":6: acl.rule.action: is missing; give one of permit, deny, prohibit, count",
            problem(PORT + "[[acl]]\nname = \"a\"\n[[acl.rule]]\nprotocol = \"tcp\"\n"));
    }
}
