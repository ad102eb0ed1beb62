package org.fibnuma.ipnuma.memcached.socket;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import org.fibnuma.ipnuma.memcached.store.StoreCounter;

import java.net.InetSocketAddress;

/**
 * Requests over UDP. Each request is one datagram with a header of 8 bytes, most significant byte first: request id,
 * sequence number, number of datagrams, 0. Answers are split into datagrams of 1,400 bytes. A datagram gets no answer
 * if it has no header, is one of several or contains an incomplete request. One from the server's UDP port gets none
 * either, since it could be an answer. If the socket accepts no more datagrams, answers are dropped. For the channel's
 * event loop.
 */
final class DatagramHandler extends SimpleChannelInboundHandler<DatagramPacket>
{
    static final int HEADER_LENGTH = 8;
    /** Bytes of an answer in one datagram, so that the datagram has 1,400 bytes as in memcached. */
    static final int DATA_LENGTH = 1400 - HEADER_LENGTH;
    /**
     * Longest answer to a datagram in bytes. It limits the traffic that a forged source address can direct at another
     * host.
     */
    static final int MAX_REPLY_LENGTH = 64 * 1024;

    private static final int TOTAL_OFFSET = 4;
    private static final int INITIAL_LENGTH = 2048;
    private static final byte[] TOO_LONG = TextCommands.ascii("SERVER_ERROR answer too long for UDP");

    private final StoreAccess access;
    private final ReplyBuffer reply = new ReplyBuffer();
    private final Session session;

    DatagramHandler(final StoreAccess access)
    {
        this.access = access;
        this.session = new Session(access.commands());
    }

    @Override
    protected void channelRead0(final ChannelHandlerContext context, final DatagramPacket packet)
    {
        final ByteBuf request = packet.content();
        final ByteBuf answer = context.alloc().directBuffer(INITIAL_LENGTH);
        try
        {
            final int id = request.readableBytes() > HEADER_LENGTH ? request.getUnsignedShort(0) : 0;
            access.lock();
            try
            {
                if (isAcceptable(context, packet))
                {
                    request.skipBytes(HEADER_LENGTH);
                    execute(request, answer);
                }
                else
                {
                    access.store().count(StoreCounter.UDP_IGNORED, 1);
                }
            }
            finally
            {
                access.unlock();
            }
            send(context, packet.sender(), id, answer);
        }
        finally
        {
            answer.release();
        }
    }

    private static boolean isAcceptable(final ChannelHandlerContext context, final DatagramPacket packet)
    {
        final ByteBuf request = packet.content();
        final int ownPort = ((InetSocketAddress)context.channel().localAddress()).getPort();
        return request.readableBytes() > HEADER_LENGTH && request.getUnsignedShort(TOTAL_OFFSET) == 1 &&
            packet.sender().getPort() != ownPort && packet.sender().getPort() != 0;
    }

    private void execute(final ByteBuf request, final ByteBuf answer)
    {
        access.store().tick();
        access.store().count(StoreCounter.BYTES_READ, request.readableBytes());
        reply.begin(answer);
        while (reply.length() <= MAX_REPLY_LENGTH && session.step(request, reply))
        {
            // Executes the commands of the datagram one after the other.
        }
        session.reset();
        if (reply.length() > MAX_REPLY_LENGTH)
        {
            reply.truncate(0);
            reply.line(TOO_LONG);
        }
        access.store().count(StoreCounter.BYTES_WRITTEN, reply.length());
    }

    private static void send(
        final ChannelHandlerContext context, final InetSocketAddress to, final int id, final ByteBuf answer)
    {
        final int total = (answer.readableBytes() + DATA_LENGTH - 1) / DATA_LENGTH;
        for (int i = 0; i < total && context.channel().isWritable(); i++)
        {
            final int length = Math.min(DATA_LENGTH, answer.readableBytes());
            final ByteBuf datagram = context.alloc().directBuffer(HEADER_LENGTH + length);
            datagram.writeShort(id).writeShort(i).writeShort(total).writeShort(0).writeBytes(answer, length);
            context.write(new DatagramPacket(datagram, to));
        }
    }

    @Override
    public void channelReadComplete(final ChannelHandlerContext context)
    {
        context.flush();
    }

    /** Continues after an answer that could not be sent, such as one to a closed UDP port. */
    @Override
    public void exceptionCaught(final ChannelHandlerContext context, final Throwable cause)
    {
        context.flush();
    }
}
