package org.fibnuma.bench.flows;

import org.fibnuma.bench.system.ReceivedFrame;
import org.fibnuma.bench.system.ScapyHost;
import org.fibnuma.core.Await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A connection whose packets scapy makes and reads, between hosts that see different addresses of each other if there
 * is translation. What arrives is compared with what was sent in all fields, and its checksums are computed again.
 */
final class Conversation
{
    static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final AtomicInteger SERIAL = new AtomicInteger();
    private static final int HOPS = 64;
    private static final int PORT_DIGITS = 4;
    private static final int UDP_LENGTH = 8;
    private static final int UDP_CHECKSUM = 6;
    private static final int TCP_LENGTH = 20;
    private static final int TCP_CHECKSUM = 16;

    private final FlowLab lab;
    private final boolean isTcp;
    private final Side opener;
    private final Side answerer;
    /** Further fields of the transport header that scapy writes. */
    private String fields = "";

    private Conversation(final FlowLab lab, final boolean isTcp, final Side opener, final Side answerer)
    {
        this.lab = lab;
        this.isTcp = isTcp;
        this.opener = opener;
        this.answerer = answerer;
    }

    /** An address and a port. */
    record Socket(String address, int port)
    {
        Socket at(final String otherAddress)
        {
            return new Socket(otherAddress, port);
        }
    }

    /** One side of a connection. */
    private static final class Side
    {
        private final ScapyHost host;
        private final Socket own;
        /** The other side, as this one knows it. */
        private final Socket peer;
        private int sequence;

        Side(final ScapyHost host, final Socket own, final Socket peer, final int sequence)
        {
            this.host = host;
            this.own = own;
            this.peer = peer;
            this.sequence = sequence;
        }
    }

    /**
     * Makes a UDP connection.
     *
     * @param from    the host that sends first.
     * @param own     its socket.
     * @param peer    where it sends to.
     * @param to      the host that answers.
     * @param reached its socket.
     * @param seen    the socket of the first host, as it sees it.
     */
    static Conversation udp(
        final FlowLab lab,
        final ScapyHost from,
        final Socket own,
        final Socket peer,
        final ScapyHost to,
        final Socket reached,
        final Socket seen)
    {
        return new Conversation(lab, false, new Side(from, own, peer, 0), new Side(to, reached, seen, 0));
    }

    /** Makes a TCP connection as {@link #udp} does, and opens it. */
    static Conversation tcp(
        final FlowLab lab,
        final ScapyHost from,
        final Socket own,
        final Socket peer,
        final ScapyHost to,
        final Socket reached,
        final Socket seen)
    {
        final Conversation conversation = new Conversation(
            lab, true, new Side(from, own, peer, 1_000), new Side(to, reached, seen, 5_000));
        conversation.pass(conversation.opener, conversation.answerer, "S", "");
        conversation.pass(conversation.answerer, conversation.opener, "SA", "");
        conversation.pass(conversation.opener, conversation.answerer, "A", "");
        return conversation;
    }

    /** Adds fields of the transport header to packets from now on, such as {@code chksum=0}. */
    Conversation with(final String transportFields)
    {
        fields = transportFields;
        return this;
    }

    /** Sends a packet with some bytes each way. */
    void exchange()
    {
        pass(opener, answerer, "PA", payload());
        pass(answerer, opener, "PA", payload());
    }

    /** Sends a packet with a payload, a Python expression of bytes, from the side that opened the connection. */
    ReceivedFrame request(final String payload)
    {
        return pass(opener, answerer, "PA", payload);
    }

    /** Sends a packet with some bytes from the side that answered. */
    ReceivedFrame answer()
    {
        return pass(answerer, opener, "PA", payload());
    }

    /** Sends a TCP segment with other flags from the side that opened the connection. */
    ReceivedFrame request(final String flags, final String payload)
    {
        return pass(opener, answerer, flags, payload);
    }

    /** Sends a TCP segment with other flags from the side that answered. */
    ReceivedFrame answer(final String flags, final String payload)
    {
        return pass(answerer, opener, flags, payload);
    }

    /** Advances the sequence numbers of both sides, as if this many bytes had been sent. */
    void skip(final int bytes)
    {
        opener.sequence += bytes;
        answerer.sequence += bytes;
    }

    /** Exchanges packets until the router forwards both directions. */
    Conversation learn()
    {
        return learn(() -> {});
    }

    /** Exchanges packets until the router forwards both directions; other connections have packets meanwhile. */
    Conversation learn(final Runnable others)
    {
        Await.until(() -> "flow of " + this + lab.lab().log(), () ->
        {
            others.run();
            final long before = lab.flows();
            exchange();
            return lab.flows() == before + 2;
        });
        return this;
    }

    /** The router forwards a packet each way. */
    void assertForwarded()
    {
        final long before = lab.flows();
        exchange();
        assertEquals(before + 2, lab.flows(), () -> "frames of flows: " + this + lab.lab().log());
    }

    /** The kernel forwards a packet each way, in times in which others are learned. */
    void assertByKernel()
    {
        lab.assertByKernel(this::exchange);
    }

    /** Returns a payload that no other packet has. */
    static String payload()
    {
        return String.format("b'flow-%08d'", SERIAL.incrementAndGet());
    }

    /** Sends a packet of the side that opened the connection, with fields of IP; returns its bytes as hex. */
    String send(final String ipFields, final String flags, final String payload)
    {
        return opener.host.send("TO_ROUTER/" + packet(ipFields, flags, payload)).get(0);
    }

    /** Returns the scapy expression of a packet of the side that opened the connection, with fields of IP. */
    String packet(final String ipFields, final String flags, final String payload)
    {
        return expression(opener, answerer, ipFields, flags, payload);
    }

    /** Returns the expression of a packet of this connection that arrives at the other side, with fields of IP. */
    String arrived(final String ipFields, final String payload)
    {
        return header(answerer.peer, answerer.own, ipFields) + transport(
            answerer.peer, answerer.own, opener.sequence, answerer.sequence, "PA") + "/" + payload;
    }

    private ReceivedFrame pass(final Side from, final Side to, final String flags, final String payload)
    {
        final String layer = isTcp ? "TCP" : "UDP";
        final String marked = payload.isEmpty() ?
            "p.haslayer(" + layer + ") and p[" + layer + "].dport == " + to.own.port : payload + " in p.original";
        to.host.clear();
        final String sent = from.host.send("TO_ROUTER/" + expression(from, to, "", flags, payload)).get(0);
        if (isTcp)
        {
            from.sequence += payload.isEmpty() ? 0 : payload.length() - "b''".length();
            from.sequence += flags.contains("S") || flags.contains("F") ? 1 : 0;
        }
        final List<ReceivedFrame> received = to.host.receive(1, PATIENCE, "is_ip(p) and " + marked);
        assertEquals(1, received.size(), () -> flags + " from " + from.own + " has not arrived; " +
            lab.router("conntrack -L; conntrack -L -f ipv6; nft list ruleset") + lab.lab().log());
        assertPassed(sent, received.get(0), to);
        return received.get(0);
    }

    private String expression(
        final Side from, final Side to, final String ipFields, final String flags, final String payload)
    {
        return header(from.own, from.peer, ipFields) + transport(
            from.own, from.peer, from.sequence, to.sequence, flags) + (payload.isEmpty() ? "" : "/" + payload);
    }

    private static String header(final Socket source, final Socket destination, final String ipFields)
    {
        return (isIpv6(source) ? "IPv6" : "IP") + "(src='" + source.address + "', dst='" + destination.address + "'" +
            (ipFields.isEmpty() ? "" : ", " + ipFields) + ")";
    }

    private String transport(
        final Socket source, final Socket destination, final int sequence, final int acknowledged, final String flags)
    {
        final String ports = "sport=" + source.port + ", dport=" + destination.port;
        return isTcp ? "/TCP(" + ports + ", flags='" + flags + "', seq=" +
            Integer.toUnsignedString(sequence) + ", ack=" +
            ("S".equals(flags) ? "0" : Integer.toUnsignedString(acknowledged)) + ", window=65535)" :
            "/UDP(" + ports + (fields.isEmpty() ? "" : ", " + fields) + ")";
    }

    /** Everything is as it was sent, but for addresses, ports, checksums and the hop that was taken. */
    private void assertPassed(final String sent, final ReceivedFrame frame, final Side to)
    {
        final int ports = 2 * PORT_DIGITS;
        final String payload;
        if (isIpv6(to.own))
        {
            assertEquals(to.peer.address, frame.ipv6().source());
            assertEquals(to.own.address, frame.ipv6().destination());
            assertEquals(HOPS - 1, frame.ipv6().hopLimit());
            payload = frame.ipv6().payload();
        }
        else
        {
            assertEquals(to.peer.address, frame.ip().source());
            assertEquals(to.own.address, frame.ip().destination());
            assertEquals(HOPS - 1, frame.ip().ttl());
            assertTrue(frame.ip().checksumRight(), frame::toString);
            payload = frame.ip().payload();
        }
        assertEquals(to.host.macAddress(), frame.destination());
        assertEquals(String.format("%04x%04x", to.peer.port, to.own.port), payload.substring(0, ports));
        final int header = 2 * (isTcp ? TCP_LENGTH : UDP_LENGTH);
        final int checksum = 2 * (isTcp ? TCP_CHECKSUM : UDP_CHECKSUM);
        final String transport = sent.substring(sent.length() - payload.length());
        assertEquals(transport.substring(ports, checksum), payload.substring(ports, checksum));
        assertEquals(transport.substring(header), payload.substring(header));
        if ("chksum=0".equals(fields))
        {
            assertEquals("0000", payload.substring(checksum, checksum + PORT_DIGITS));
        }
        else
        {
            assertTrue(isIpv6(to.own) ? frame.ipv6().transportChecksumRight() : frame.ip().transportChecksumRight(),
                frame::toString);
        }
    }

    private static boolean isIpv6(final Socket socket)
    {
        return socket.address.contains(":");
    }

    @Override
    public String toString()
    {
        return (isTcp ? "TCP " : "UDP ") + opener.own + " to " + opener.peer + " as " + answerer.peer + " to " +
            answerer.own;
    }
}
