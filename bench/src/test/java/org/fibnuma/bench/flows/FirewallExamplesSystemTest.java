package org.fibnuma.bench.flows;

import org.fibnuma.bench.flows.Conversation.Socket;
import org.fibnuma.bench.lab.NamespaceTest;
import org.fibnuma.core.Await;
import org.fibnuma.core.Require;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The examples of docs/firewall.md, with r0 for lan0 and r1 for wan0. The programs of firewalld and ufw set rules. */
@NamespaceTest({"scapy", "nft", "conntrack", "ethtool", "sysctl", "iptables-nft", "ufw", "unshare"})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FirewallExamplesSystemTest
{
    /** As dockerd sets them on a host with a bridge and one published port. */
    private static final String DOCKER = """
        *nat
        :DOCKER - [0:0]
        -A PREROUTING -m addrtype --dst-type LOCAL -j DOCKER
        -A POSTROUTING -s 172.17.0.0/16 ! -o docker0 -j MASQUERADE
        -A DOCKER -i docker0 -j RETURN
        -A DOCKER ! -i docker0 -p tcp -m tcp --dport 80 -j DNAT --to-destination 172.17.0.2:80
        COMMIT
        *filter
        :FORWARD DROP [0:0]
        :DOCKER - [0:0]
        :DOCKER-ISOLATION-STAGE-1 - [0:0]
        :DOCKER-ISOLATION-STAGE-2 - [0:0]
        :DOCKER-USER - [0:0]
        -A FORWARD -j DOCKER-USER
        -A FORWARD -j DOCKER-ISOLATION-STAGE-1
        -A FORWARD -o docker0 -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
        -A FORWARD -o docker0 -j DOCKER
        -A FORWARD -i docker0 -j ACCEPT
        -A DOCKER -d 172.17.0.2/32 ! -i docker0 -o docker0 -p tcp -m tcp --dport 80 -j ACCEPT
        -A DOCKER-ISOLATION-STAGE-1 -i docker0 ! -o docker0 -j DOCKER-ISOLATION-STAGE-2
        -A DOCKER-ISOLATION-STAGE-1 -j RETURN
        -A DOCKER-ISOLATION-STAGE-2 -o docker0 -j DROP
        -A DOCKER-ISOLATION-STAGE-2 -j RETURN
        -A DOCKER-USER -j RETURN
        COMMIT
        """;
    /** As kube-proxy sets them for port 30080 of the node and a pod behind another node. */
    private static final String KUBERNETES = """
        *nat
        :KUBE-SERVICES - [0:0]
        :KUBE-NODEPORTS - [0:0]
        :KUBE-POSTROUTING - [0:0]
        :KUBE-MARK-MASQ - [0:0]
        :KUBE-EXT-WEB - [0:0]
        :KUBE-SVC-WEB - [0:0]
        :KUBE-SEP-WEB - [0:0]
        -A PREROUTING -m comment --comment "kubernetes service portals" -j KUBE-SERVICES
        -A POSTROUTING -m comment --comment "kubernetes postrouting rules" -j KUBE-POSTROUTING
        -A KUBE-SERVICES -m addrtype --dst-type LOCAL -j KUBE-NODEPORTS
        -A KUBE-NODEPORTS -p tcp -m tcp --dport 30080 -j KUBE-EXT-WEB
        -A KUBE-EXT-WEB -j KUBE-MARK-MASQ
        -A KUBE-EXT-WEB -j KUBE-SVC-WEB
        -A KUBE-SVC-WEB -j KUBE-SEP-WEB
        -A KUBE-SEP-WEB -p tcp -m tcp -j DNAT --to-destination %s:%d
        -A KUBE-MARK-MASQ -j MARK --or-mark 0x4000
        -A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN
        -A KUBE-POSTROUTING -j MARK --xor-mark 0x4000
        -A KUBE-POSTROUTING -j MASQUERADE
        COMMIT
        *filter
        :KUBE-FORWARD - [0:0]
        :KUBE-PROXY-FIREWALL - [0:0]
        -A FORWARD -m conntrack --ctstate NEW -j KUBE-PROXY-FIREWALL
        -A FORWARD -m comment --comment "kubernetes forwarding rules" -j KUBE-FORWARD
        -A KUBE-FORWARD -m conntrack --ctstate INVALID -j DROP
        -A KUBE-FORWARD -m mark --mark 0x4000/0x4000 -j ACCEPT
        -A KUBE-FORWARD -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
        COMMIT
        """;
    private static final int NODE_PORT = 30_080;
    /** Starts the core of firewalld, which sets the rules of its files, without its service. */
    private static final String FIREWALLD = """
        import sys, firewall.config as config
        config.set_default_config_paths(sys.argv[1])
        config.set_system_config_paths(sys.argv[1])
        from firewall.core.fw import Firewall
        Firewall().start()
        """;

    @TempDir
    private Path directory;
    private FlowLab lab;

    @BeforeAll
    void start()
    {
        lab = FlowLab.open();
        lab.start();
    }

    @AfterAll
    void close()
    {
        if (lab != null)
        {
            lab.close();
        }
    }

    @Test
    void shouldFollowAHomeRouter() throws IOException
    {
        lab.rules(example("A home router"));
        assertFollowed("table inet filter", FlowLab.TO_SERVER);
    }

    @Test
    void shouldFollowDocker() throws IOException
    {
        lab.rules("");
        restore(DOCKER);
        lab.router(example("Docker"));
        assertFollowed("table ip filter, chain FORWARD", FlowLab.CLIENT);
    }

    @Test
    void shouldFollowFirewalld() throws IOException
    {
        Require.that(Files.exists(Path.of("/usr/lib/python3/dist-packages/firewall/core/fw.py")) &&
            Files.exists(Path.of("/usr/lib/python3/dist-packages/nftables")),
            "needs the core of firewalld: apt-get install python3-firewall python3-nftables");
        final String commands = example("firewalld");
        write("zones/internal.xml", "<zone>" + interfaceOf("internal", commands) + "</zone>");
        write("zones/external.xml", "<zone>" + interfaceOf("external", commands) + "<masquerade/></zone>");
        for (final String zone : new String[]{"block", "drop", "trusted", "public"})
        {
            write("zones/" + zone + ".xml", "<zone/>");
        }
        write("policies/lan-to-wan.xml", "<policy target='ACCEPT'><ingress-zone name='internal'/>" +
            "<egress-zone name='external'/></policy>");
        write("firewalld.conf", "DefaultZone=public\n");
        write("start.py", FIREWALLD);
        lab.rules("");
        lab.router("/usr/bin/python3 " + directory.resolve("start.py") + " " + directory);
        assertFollowed("table inet firewalld, chain filter_FORWARD", FlowLab.TO_SERVER);
    }

    private static String interfaceOf(final String zone, final String commands)
    {
        final String option = "--zone=" + zone + " --change-interface=";
        final int start = commands.indexOf(option) + option.length();
        return "<interface name='" + commands.substring(start, start + 2) + "'/>";
    }

    @Test
    void shouldFollowUfw() throws IOException
    {
        lab.rules("");
        ufw(example("ufw"));
        assertFollowed("table ip filter, chain FORWARD", FlowLab.CLIENT);
        assertTrue(lab.router("iptables-nft -S ufw-before-logging-forward").contains("--ctstate NEW"));

        ufw("ufw logging high");
        Await.until("the rule that logs packets", () -> lab.lab().ask("host").path("restrictions").toString()
            .contains("of chain ufw-before-logging-forward"));
        final Conversation conversation = fromClient(FlowLab.CLIENT);
        conversation.exchange();
        conversation.assertByKernel();
    }

    /** Runs commands with a copy of ufw's configuration. */
    private void ufw(final String commands)
    {
        lab.router("test -e " + directory.resolve("ufw") + " || cp -r /etc/ufw " + directory + "\n" +
            "unshare -m sh -e <<'END'\nmount --bind " + directory.resolve("ufw") + " /etc/ufw\n" + commands + "\nEND");
    }

    @Test
    void shouldFollowKubernetes()
    {
        final Socket pod = new Socket(FlowLab.SERVER, FlowLab.newPort());
        final Socket client = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        lab.rules("");
        restore(KUBERNETES.formatted(pod.address(), pod.port()));
        lab.awaitFollowed("table ip filter, chain FORWARD");
        Conversation.tcp(lab, lab.client(), client, new Socket(FlowLab.TO_CLIENT, NODE_PORT),
            lab.server(), pod, client.at(FlowLab.TO_SERVER)).learn().assertForwarded();
    }

    private void restore(final String rules)
    {
        lab.router("iptables-nft-restore <<'END'\n" + rules + "END");
    }

    private void write(final String file, final String text) throws IOException
    {
        final Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    /** A connection of the client becomes a flow; the server sees an address. */
    private void assertFollowed(final String restriction, final String seen)
    {
        lab.awaitFollowed(restriction);
        fromClient(seen).learn().assertForwarded();
    }

    private Conversation fromClient(final String seen)
    {
        final Socket own = new Socket(FlowLab.CLIENT, FlowLab.newPort());
        final Socket peer = new Socket(FlowLab.SERVER, FlowLab.newPort());
        return Conversation.tcp(lab, lab.client(), own, peer, lab.server(), peer, own.at(seen));
    }

    /** Returns the lines of the example below a heading. */
    private static String example(final String heading) throws IOException
    {
        final String page = Files.readString(Require.projectDirectory().resolve("docs/firewall.md"));
        final int start = page.indexOf("\n### " + heading + "\n");
        assertFalse(start < 0, heading);
        return page.substring(start + 1).lines().skip(1).takeWhile(line -> !line.startsWith("#"))
            .filter(line -> line.startsWith("    ")).collect(Collectors.joining("\n", "", "\n"))
            .replace("lan0", "r0").replace("wan0", "r1");
    }
}
