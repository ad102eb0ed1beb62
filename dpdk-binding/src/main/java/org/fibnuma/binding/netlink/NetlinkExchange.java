package org.fibnuma.binding.netlink;

import org.agrona.collections.IntIntConsumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.binding.libc.Errno;

import java.nio.ByteBuffer;
import java.util.function.ObjIntConsumer;

import static org.fibnuma.binding.netlink.NetlinkLayout.ERROR_LENGTH;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLMSGERR_ATTR_MSG;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLMSG_DONE;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLMSG_ERROR;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_ACK;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_ACK_TLVS;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_CAPPED;
import static org.fibnuma.binding.netlink.NetlinkLayout.NLM_F_DUMP_INTR;

/**
 * Sends requests and receives their answers, one at a time, on its own socket. A refusal by the kernel is a result, not
 * an exception. Methods throw {@link org.fibnuma.binding.libc.SystemCallException} if the socket fails. One thread.
 */
public final class NetlinkExchange implements AutoCloseable
{
    /** Result of {@link #continueDump}: the list is not complete yet. */
    public static final int MORE = -1;
    /** Most requests of a list that changes while it is read. The last one is used although it is inconsistent. */
    public static final int DUMP_ATTEMPTS = 8;

    // The kernel sends up to 32 KiB of a list in one datagram; a single link with many functions may need more.
    private static final int ANSWER_LENGTH = 256 * 1024;
    private static final int RECEIVE_BUFFER_LENGTH = 8 * 1024 * 1024;
    /** Longest batch for which the send buffer that the socket has is certainly sufficient. */
    private static final int SEND_BUFFER_LENGTH = 64 * 1024;
    private static final ObjIntConsumer<NetlinkMessageFlyweight> NO_ANSWERS = (message, index) -> {};

    private final NetlinkSocket socket;
    private final UnsafeBuffer answer = new UnsafeBuffer(ByteBuffer.allocateDirect(ANSWER_LENGTH));
    private final NetlinkMessageFlyweight message = new NetlinkMessageFlyweight();
    private final NetlinkAttributeFlyweight attributes = new NetlinkAttributeFlyweight();
    private int sendBufferLength = SEND_BUFFER_LENGTH;
    private int sequence;
    private boolean interrupted;
    private int refusedSequence;
    private String refusal = "";

    /**
     * Opens a socket of a protocol, such as {@link NetlinkLayout#NETLINK_ROUTE}, in the calling thread's network
     * namespace.
     */
    public NetlinkExchange(final int protocol)
    {
        socket = NetlinkSocket.open(protocol);
        socket.receiveBuffer(RECEIVE_BUFFER_LENGTH);
    }

    /** Returns the number of the next request: one more than the last, but not 0, the number of notifications. */
    public int nextSequence()
    {
        sequence = sequence == Integer.MAX_VALUE ? 1 : sequence + 1;
        return sequence;
    }

    /**
     * Sends one or more requests and waits for the answer to the last, which must have NLM_F_ACK and the latest number
     * of {@link #nextSequence}.
     *
     * @return 0, or the error number of the first refused request; see {@link #refusal()}.
     */
    public int execute(final NetlinkRequest request)
    {
        socket.send(request);
        refusal = "";
        int firstErrno = 0;
        while (true)
        {
            final int length = socket.awaitAnswer(answer);
            if (length <= 0)
            {
                return unanswered(length);
            }
            message.wrap(answer, 0, length);
            while (message.next())
            {
                if (message.type() == NLMSG_ERROR)
                {
                    final int errno = errno();
                    if (errno != 0 && firstErrno == 0)
                    {
                        firstErrno = errno;
                        refused(errno);
                    }
                    if (message.sequence() == sequence)
                    {
                        return firstErrno;
                    }
                }
            }
        }
    }

    /** Returns the port of the socket, which is in the notifications of the changes that it requests. */
    public int portId()
    {
        return socket.portId();
    }

    /**
     * Sends one or more requests that the kernel handles independently of each other, and waits until all are handled.
     * Their numbers are assigned here. None needs NLM_F_ACK, because the kernel answers each refused request.
     *
     * @param request  one or more.
     * @param refusals receives the index of each refused request, from 0, and its error number, in this order.
     * @return 0; or an error number if answers were lost, so that it is unknown which requests were refused; see
     * {@link #refusal()}.
     */
    public int executeEach(final NetlinkRequest request, final IntIntConsumer refusals)
    {
        return executeEach(request, refusals, NO_ANSWERS);
    }

    /**
     * Sends requests as {@link #executeEach(NetlinkRequest, IntIntConsumer)} does, for each of which the kernel may
     * send messages before it is done.
     *
     * @param answers receives each message with the index of its request, in the order of the requests.
     */
    public int executeEach(
        final NetlinkRequest request,
        final IntIntConsumer refusals,
        final ObjIntConsumer<NetlinkMessageFlyweight> answers)
    {
        final int first = nextSequence();
        int count = 1;
        request.addFlags(NLM_F_ACK);
        for (int at = request.number(0, first); at < request.length(); at = request.number(at, nextSequence()))
        {
            count++;
        }
        refusal = "";
        socket.send(request);
        while (true)
        {
            final int length = socket.awaitAnswer(answer);
            if (length <= 0)
            {
                return unanswered(length);
            }
            message.wrap(answer, 0, length);
            while (message.next())
            {
                final int index = distance(first, message.sequence());
                if (index >= count)
                {
                    continue;
                }
                if (message.type() != NLMSG_ERROR)
                {
                    answers.accept(message, index);
                    continue;
                }
                final int errno = errno();
                if (errno != 0)
                {
                    refusals.accept(index, errno);
                }
                if (index == count - 1)
                {
                    return 0;
                }
            }
        }
    }

    /**
     * Sends a batch of nfnetlink and waits for the answer to it. All its messages have the latest number of
     * {@link #nextSequence}, because the kernel answers some refusals as if they were of the first message; only the
     * last change has NLM_F_ACK. Of several refusals the first counts.
     *
     * @return 0, or the error number if the kernel refuses, and then nothing was changed; see {@link #refusal()}.
     */
    public int executeBatch(final NetlinkRequest batch)
    {
        if (batch.length() > sendBufferLength)
        {
            sendBufferLength = batch.capacity();
            socket.sendBuffer(sendBufferLength);
        }
        final int errno = execute(batch);
        int length = errno;
        // The kernel has sent all refusals when the first is received.
        while (length != 0)
        {
            length = socket.receive(answer);
        }
        return errno;
    }

    /**
     * Requests a list and passes each of its messages to a handler. {@link #wasInterrupted()} then reports whether the
     * list changed meanwhile.
     *
     * @param request one, with NLM_F_DUMP and the latest number of {@link #nextSequence}.
     * @param handler of the messages.
     * @return 0, or the error number if the kernel refuses; see {@link #refusal()}.
     */
    public int dump(final NetlinkRequest request, final NetlinkMessageHandler handler)
    {
        beginDump(request);
        int result;
        do
        {
            result = continueDump(handler);
        }
        while (result == MORE);
        return result;
    }

    /**
     * Requests a list as {@link #dump} does, to be read by {@link #continueDump}. No other request may be made until
     * that returns something other than {@link #MORE}.
     */
    public void beginDump(final NetlinkRequest request)
    {
        interrupted = false;
        refusal = "";
        socket.send(request);
    }

    /**
     * Reads one datagram of the requested list, at most 32 KiB unless a single message is larger. The kernel composes
     * the list while it is read, one datagram ahead.
     *
     * @return {@link #MORE}; 0 if the list is complete; or the error number if the kernel refuses.
     */
    public int continueDump(final NetlinkMessageHandler handler)
    {
        final int length = socket.awaitAnswer(answer);
        if (length <= 0)
        {
            return unanswered(length);
        }
        message.wrap(answer, 0, length);
        while (message.next())
        {
            if (message.sequence() == sequence)
            {
                interrupted |= (message.flags() & NLM_F_DUMP_INTR) != 0;
                if (message.type() == NLMSG_DONE || message.type() == NLMSG_ERROR)
                {
                    return ended();
                }
                handler.onMessage(message);
            }
        }
        interrupted |= message.isMalformed();
        return MORE;
    }

    /**
     * Returns whether the last list changed while it was read, or was malformed, so that it must be requested again.
     */
    public boolean wasInterrupted()
    {
        return interrupted;
    }

    /**
     * Returns in one line the error and the kernel's message about a refusal of the last request; empty if there was
     * none.
     */
    public String refusal()
    {
        return refusal;
    }

    /** Returns the number of the refused request; valid only after a refusal. */
    public int refusedSequence()
    {
        return refusedSequence;
    }

    @Override
    public void close()
    {
        socket.close();
    }

    /** Returns how often {@link #nextSequence} leads from a number to a later one; 0 or more. */
    private static int distance(final int from, final int to)
    {
        return to < from ? to - from + Integer.MAX_VALUE : to - from;
    }

    private int ended()
    {
        final int errno = errno();
        if (errno != 0)
        {
            refused(errno);
        }
        return errno;
    }

    private int errno()
    {
        return message.payloadLength() < Integer.BYTES ? 0 :
            -answer.getInt(message.payloadOffset() + NetlinkLayout.ERROR_OFFSET);
    }

    private void refused(final int errno)
    {
        refusedSequence = message.sequence();
        refusal = Errno.text(errno);
        // The kernel's message follows the quoted request, of which NETLINK_CAP_ACK leaves only the header.
        if (message.type() == NLMSG_ERROR && (message.flags() & (NLM_F_ACK_TLVS | NLM_F_CAPPED)) ==
            (NLM_F_ACK_TLVS | NLM_F_CAPPED))
        {
            message.wrapAttributes(attributes, ERROR_LENGTH);
            if (attributes.find(NLMSGERR_ATTR_MSG))
            {
                refusal += ": " + attributes.textValue();
            }
        }
    }

    private int unanswered(final int length)
    {
        final Errno errno = length == NetlinkSocket.LOST ? Errno.ENOBUFS : Errno.ETIMEDOUT;
        refusedSequence = sequence;
        refusal = "no answer, " + Errno.text(errno.number());
        return errno.number();
    }
}
