package org.fibnuma.bench.lab;

import org.fibnuma.binding.libc.NetworkNamespace;
import org.fibnuma.core.service.netns.Host;
import org.fibnuma.core.wire.Ipv4Address;
import org.fibnuma.fibnic.routes.RouteList;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;

/**
 * A neighbour that announces many IPv4 routes with one next hop (RFC 4271), as fast as they are taken. It requests a
 * hold time of 0, with which no keepalives are sent (section 4.2). For one thread.
 */
public final class BgpSpeaker implements AutoCloseable
{
    private static final int PORT = 179;
    private static final int HEADER_LENGTH = 19;
    private static final int MARKER_LENGTH = 16;
    private static final int MAX_LENGTH = 4096;
    private static final int OPEN = 1;
    private static final int UPDATE = 2;
    private static final int KEEPALIVE = 4;

    private final Socket socket;
    private final DataInputStream in;
    private final DataOutputStream out;

    private BgpSpeaker(final Socket socket) throws IOException
    {
        this.socket = socket;
        this.in = new DataInputStream(socket.getInputStream());
        this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
    }

    /**
     * Connects and opens a session; returns when it is established.
     *
     * @param host     host to connect from.
     * @param neighbor its neighbour's address.
     * @param as       number of the autonomous system of this end, 16 bits.
     * @param id       BGP identifier of this end, as an IPv4 address.
     * @return the session.
     * @throws IOException if there is no connection or the neighbour answers with anything else.
     */
    public static BgpSpeaker open(final Host host, final String neighbor, final int as, final String id)
        throws IOException
    {
        final BgpSpeaker speaker =
            new BgpSpeaker(NetworkNamespace.call(host.namespaceFile(), () -> connect(neighbor)));
        final ByteBuffer open = ByteBuffer.allocate(10)
            .put((byte)4).putShort((short)as).putShort((short)0).putInt(Ipv4Address.parse(id)).put((byte)0);
        speaker.send(OPEN, open);
        speaker.await(OPEN);
        speaker.send(KEEPALIVE, ByteBuffer.allocate(0));
        speaker.await(KEEPALIVE);
        return speaker;
    }

    private static Socket connect(final String neighbor)
    {
        try
        {
            return new Socket(neighbor, PORT);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Announces routes from one index to another, exclusively; returns when TCP has taken the last message. */
    public void announce(final RouteList routes, final int from, final int to, final String nextHop, final int as)
        throws IOException
    {
        final byte[] attributes = ByteBuffer.allocate(4 + 7 + 7)
            .put((byte)0x40).put((byte)1).put((byte)1).put((byte)0)
            .put((byte)0x40).put((byte)2).put((byte)4).put((byte)2).put((byte)1).putShort((short)as)
            .put((byte)0x40).put((byte)3).put((byte)4).putInt(Ipv4Address.parse(nextHop)).array();
        int next = from;
        while (next < to)
        {
            final ByteBuffer update = ByteBuffer.allocate(MAX_LENGTH - HEADER_LENGTH)
                .putShort((short)0).putShort((short)attributes.length).put(attributes);
            next = putPrefixes(update, routes, next, to);
            send(UPDATE, update);
        }
        out.flush();
    }

    /** Withdraws routes from one index to another, exclusively; returns when TCP has taken the last message. */
    public void withdraw(final RouteList routes, final int from, final int to) throws IOException
    {
        int next = from;
        while (next < to)
        {
            final ByteBuffer update = ByteBuffer.allocate(MAX_LENGTH - HEADER_LENGTH - Short.BYTES).putShort((short)0);
            next = putPrefixes(update, routes, next, to);
            update.putShort(0, (short)(update.position() - Short.BYTES));
            send(UPDATE, ByteBuffer.allocate(update.position() + Short.BYTES).put(update.flip()).putShort((short)0));
        }
        out.flush();
    }

    private static int putPrefixes(final ByteBuffer update, final RouteList routes, final int from, final int to)
    {
        int next = from;
        while (next < to && update.remaining() > Integer.BYTES)
        {
            update.put((byte)routes.length(next));
            for (int bits = 0; bits < routes.length(next); bits += Byte.SIZE)
            {
                update.put((byte)(routes.prefix(next) >>> Integer.SIZE - Byte.SIZE - bits));
            }
            next++;
        }
        return next;
    }

    private void send(final int type, final ByteBuffer body) throws IOException
    {
        for (int i = 0; i < MARKER_LENGTH; i++)
        {
            out.writeByte(0xFF);
        }
        out.writeShort(HEADER_LENGTH + body.position());
        out.writeByte(type);
        out.write(body.array(), 0, body.position());
        if (type != UPDATE)
        {
            out.flush();
        }
    }

    private void await(final int type) throws IOException
    {
        in.skipNBytes(MARKER_LENGTH);
        final int length = in.readUnsignedShort();
        final int received = in.readUnsignedByte();
        in.skipNBytes(length - HEADER_LENGTH);
        if (received != type)
        {
            throw new IOException("the neighbour sent a message of type " + received + " instead of " + type);
        }
    }

    @Override
    public void close() throws IOException
    {
        socket.close();
    }
}
