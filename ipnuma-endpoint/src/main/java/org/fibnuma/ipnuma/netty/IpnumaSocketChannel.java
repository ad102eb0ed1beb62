package org.fibnuma.ipnuma.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.FileRegion;
import io.netty.channel.RecvByteBufAllocator.ExtendedHandle;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.SocketChannelConfig;
import org.fibnuma.ipnuma.stream.IpnumaHosts;
import org.fibnuma.ipnuma.stream.IpnumaSocketAddress;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.util.concurrent.TimeUnit;

/**
 * A connection over remote memory. It is connected to an {@link IpnumaSocketAddress} or to an {@code InetSocketAddress}
 * of an endpoint: 0.0.x.y with the PC ID in the last two bytes, or the unresolved host {@code ipnuma:PC-ID}. The
 * addresses of the channel have the first form. A connect fails with {@code ConnectException} if no program listens. It
 * fails with {@code ConnectTimeoutException} after {@code CONNECT_TIMEOUT_MILLIS} and at most 0.1 s more. It waits
 * while the backlog is full.
 * <p>
 * If the peer's ring is full, a write continues when the peer has read. The end of a peer is detected once all its
 * bytes are read, even without a pending read.
 */
public final class IpnumaSocketChannel extends AbstractIpnumaChannel implements SocketChannel
{
    /** As in Netty's own transports, there are at most 16 reads for each event. */
    private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);
    /** Far above the number of buffers that one write uses. */
    private static final int MAX_GATHERED_BUFFERS = 64;
    private static final int MAX_GATHERED_BYTES = 64 * 1024;
    /** Replaces a timeout of 0, which means no timeout. */
    private static final long YEAR_NS = TimeUnit.DAYS.toNanos(365);

    private final IpnumaSocketChannelConfig config = new IpnumaSocketChannelConfig(this);
    private volatile SharedStream stream;
    private ChannelPromise connectPromise;
    private SocketAddress requestedRemote;
    private boolean writeBlocked;
    private boolean inputEndFired;
    private volatile InetSocketAddress local;
    private volatile InetSocketAddress remote;
    private volatile boolean connected;
    private volatile boolean inputShutdown;
    private volatile boolean outputShutdown;

    /** Creates a channel that is not connected. */
    public IpnumaSocketChannel()
    {
        super(null);
    }

    IpnumaSocketChannel(final ServerSocketChannel parent, final SharedStream stream)
    {
        super(parent);
        this.stream = stream;
        setConnected();
    }

    private void setConnected()
    {
        local = IpnumaHosts.inetSocketAddress(stream.localAddress());
        remote = IpnumaHosts.inetSocketAddress(stream.remoteAddress());
        connected = true;
    }

    @Override
    public ServerSocketChannel parent()
    {
        return (ServerSocketChannel)super.parent();
    }

    @Override
    public SocketChannelConfig config()
    {
        return config;
    }

    @Override
    public ChannelMetadata metadata()
    {
        return METADATA;
    }

    @Override
    public boolean isActive()
    {
        return connected && isOpen();
    }

    @Override
    public InetSocketAddress localAddress()
    {
        return (InetSocketAddress)super.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress()
    {
        return (InetSocketAddress)super.remoteAddress();
    }

    @Override
    protected SocketAddress localAddress0()
    {
        return local;
    }

    @Override
    protected SocketAddress remoteAddress0()
    {
        return remote;
    }

    /** Returns the capacity of a ring in bytes, or 0 before the first connect. */
    int ringCapacity()
    {
        return stream == null ? 0 : stream.ringCapacity();
    }

    @Override
    void attach(final IpnumaRegistration target)
    {
        if (stream != null)
        {
            stream.attach(target);
        }
    }

    /** Has no effect, because the stream selects the port of a connecting end. */
    @Override
    protected void doBind(final SocketAddress localAddress) throws IOException
    {
        final int port = IpnumaHosts.localPort(localAddress);
        if (port != 0)
        {
            throw new IOException("cannot connect from port " + port + ": bind to port 0 or not at all");
        }
    }

    private void beginConnect(final IpnumaSocketAddress target) throws IOException
    {
        final int timeoutMs = config.getConnectTimeoutMillis();
        stream = SharedStream.connect(registration().agent(), target,
            timeoutMs == 0 ? YEAR_NS : TimeUnit.MILLISECONDS.toNanos(timeoutMs), registration());
    }

    @Override
    void onReady()
    {
        if (stream == null || !isOpen())
        {
            return;
        }
        if (!connected)
        {
            ((SocketUnsafe)unsafe()).finishConnect();
        }
        if (isActive() && writeBlocked)
        {
            writeBlocked = false;
            ((SocketUnsafe)unsafe()).flush0();
        }
        if (isActive())
        {
            final int input = inputShutdown ? -1 : stream.input();
            mayRead(input != 0);
            if (input != 0 && isReadPending() || input < 0 && !inputShutdown)
            {
                readAll();
            }
        }
    }

    private void readAll()
    {
        if (inputShutdown && (inputEndFired || !config.isAllowHalfClosure()))
        {
            readDone();
            return;
        }
        final ChannelPipeline pipeline = pipeline();
        final ExtendedHandle allocation = (ExtendedHandle)unsafe().recvBufAllocHandle();
        allocation.reset(config);
        ByteBuf buffer = null;
        try
        {
            do
            {
                buffer = allocation.allocate(config.getAllocator());
                allocation.lastBytesRead(read(buffer, allocation));
                if (allocation.lastBytesRead() <= 0)
                {
                    buffer.release();
                    buffer = null;
                    break;
                }
                allocation.incMessagesRead(1);
                readDone();
                pipeline.fireChannelRead(buffer);
                buffer = null;
            }
            while (isOpen() && allocation.continueReading());
        }
        catch (final IOException | RuntimeException | Error ex)
        {
            failRead(buffer, allocation, ex);
            return;
        }
        final boolean ended = allocation.lastBytesRead() < 0;
        if (ended)
        {
            readDone();
        }
        allocation.readComplete();
        pipeline.fireChannelReadComplete();
        if (ended)
        {
            endInput();
        }
    }

    private int read(final ByteBuf buffer, final ExtendedHandle allocation) throws IOException
    {
        final int wanted = buffer.writableBytes();
        allocation.attemptedBytesRead(wanted);
        if (inputShutdown)
        {
            return -1;
        }
        final int index = buffer.writerIndex();
        final ByteBuffer destination = buffer.internalNioBuffer(index, wanted);
        final int count = stream.read(destination);
        mayRead(stream.hasMore());
        if (count > 0)
        {
            buffer.writerIndex(index + count);
        }
        return count;
    }

    private void failRead(final ByteBuf buffer, final ExtendedHandle allocation, final Throwable cause)
    {
        readDone();
        if (buffer != null)
        {
            buffer.release();
        }
        allocation.readComplete();
        pipeline().fireChannelReadComplete();
        pipeline().fireExceptionCaught(cause);
        if (cause instanceof IOException || cause instanceof OutOfMemoryError)
        {
            unsafe().close(voidPromise());
        }
    }

    /** Called when the peer has finished and all its bytes are read, or this end has stopped reading. */
    private void endInput()
    {
        if (!inputShutdown)
        {
            if (!config.isAllowHalfClosure())
            {
                unsafe().close(voidPromise());
                return;
            }
            inputShutdown = true;
            pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        }
        if (!inputEndFired)
        {
            inputEndFired = true;
            pipeline().fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
        }
    }

    @Override
    protected Object filterOutboundMessage(final Object message)
    {
        if (message instanceof ByteBuf || message instanceof FileRegion)
        {
            return message;
        }
        throw new UnsupportedOperationException("cannot write a " + message.getClass().getName() +
            "; write a ByteBuf or a FileRegion");
    }

    @Override
    protected void doWrite(final ChannelOutboundBuffer in) throws IOException
    {
        for (int i = config.getWriteSpinCount(); i > 0; i--)
        {
            if (in.isEmpty())
            {
                return;
            }
            final ByteBuffer[] buffers = in.nioBuffers(MAX_GATHERED_BUFFERS, MAX_GATHERED_BYTES);
            final int count = in.nioBufferCount();
            if (count == 0 ? !writeFirst(in) : !write(in, buffers, count))
            {
                writeBlocked = true;
                return;
            }
        }
        eventLoop().execute(((SocketUnsafe)unsafe())::flush0);
    }

    private boolean write(final ChannelOutboundBuffer in, final ByteBuffer[] buffers, final int count)
        throws IOException
    {
        final int written = stream.write(buffers, count);
        in.removeBytes(written);
        return written > 0;
    }

    /** Writes a region of a file, or removes an empty buffer. Returns false if there is no room. */
    private boolean writeFirst(final ChannelOutboundBuffer in) throws IOException
    {
        if (in.current() instanceof FileRegion region && region.transferred() < region.count())
        {
            final long written = region.transferTo(stream, region.transferred());
            if (written > 0)
            {
                in.progress(written);
            }
            if (region.transferred() < region.count())
            {
                return written > 0;
            }
        }
        in.remove();
        return true;
    }

    @Override
    protected void doShutdownOutput() throws IOException
    {
        if (!connected)
        {
            throw new NotYetConnectedException();
        }
        outputShutdown = true;
        stream.finish();
    }

    @Override
    void closeStream()
    {
        if (stream != null)
        {
            if (config.getSoLinger() == 0)
            {
                stream.reset();
            }
            else
            {
                stream.close();
            }
        }
        final ChannelPromise pending = connectPromise;
        connectPromise = null;
        if (pending != null)
        {
            pending.tryFailure(new ClosedChannelException());
        }
    }

    @Override
    public boolean isInputShutdown()
    {
        return inputShutdown || !isActive();
    }

    @Override
    public boolean isOutputShutdown()
    {
        return outputShutdown || !isActive();
    }

    @Override
    public boolean isShutdown()
    {
        return isInputShutdown() && isOutputShutdown();
    }

    @Override
    public ChannelFuture shutdownOutput()
    {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(final ChannelPromise promise)
    {
        onEventLoop(() -> ((SocketUnsafe)unsafe()).shutdownOutput(promise));
        return promise;
    }

    @Override
    public ChannelFuture shutdownInput()
    {
        return shutdownInput(newPromise());
    }

    /** Stops reading. Bytes of the peer are discarded from now on. */
    @Override
    public ChannelFuture shutdownInput(final ChannelPromise promise)
    {
        onEventLoop(() ->
        {
            if (!connected)
            {
                promise.setFailure(new NotYetConnectedException());
            }
            else if (!isOpen())
            {
                promise.setFailure(new ClosedChannelException());
            }
            else
            {
                inputShutdown = true;
                stream.discardInput();
                mayRead(true);
                registration().markReady();
                promise.setSuccess();
            }
        });
        return promise;
    }

    @Override
    public ChannelFuture shutdown()
    {
        return shutdown(newPromise());
    }

    @Override
    public ChannelFuture shutdown(final ChannelPromise promise)
    {
        shutdownOutput().addListener(output -> shutdownInput().addListener(input ->
        {
            final Throwable cause = output.isSuccess() ? input.cause() : output.cause();
            if (cause == null)
            {
                promise.setSuccess();
            }
            else
            {
                promise.setFailure(cause);
            }
        }));
        return promise;
    }

    private void onEventLoop(final Runnable action)
    {
        if (eventLoop().inEventLoop())
        {
            action.run();
        }
        else
        {
            eventLoop().execute(action);
        }
    }

    @Override
    protected AbstractUnsafe newUnsafe()
    {
        return new SocketUnsafe();
    }

    private final class SocketUnsafe extends IpnumaUnsafe
    {
        @Override
        public void connect(final SocketAddress to, final SocketAddress from, final ChannelPromise promise)
        {
            // The promise stays cancellable.
            if (promise.isDone() || !ensureOpen(promise))
            {
                return;
            }
            if (connected || connectPromise != null)
            {
                promise.tryFailure(connected ? new AlreadyConnectedException() : new ConnectionPendingException());
                return;
            }
            requestedRemote = to;
            try
            {
                doBind(from);
                beginConnect(IpnumaHosts.resolve(to));
            }
            catch (final IOException | RuntimeException ex)
            {
                promise.tryFailure(annotateConnectException(ex, to));
                close();
                return;
            }
            connectPromise = promise;
            promise.addListener(future ->
            {
                if (future.isCancelled())
                {
                    connectPromise = null;
                    close();
                }
            });
        }

        private void finishConnect()
        {
            try
            {
                if (!isEstablished())
                {
                    return;
                }
            }
            catch (final IOException ex)
            {
                final ChannelPromise failed = connectPromise;
                connectPromise = null;
                failed.tryFailure(
                    ex instanceof ConnectTimeoutException ? ex : annotateConnectException(ex, requestedRemote));
                close();
                return;
            }
            final ChannelPromise promise = connectPromise;
            connectPromise = null;
            setConnected();
            final boolean wanted = promise.trySuccess();
            pipeline().fireChannelActive();
            if (!wanted)
            {
                close();
            }
        }

        private boolean isEstablished() throws IOException
        {
            try
            {
                return stream.finishConnect();
            }
            catch (final SocketTimeoutException ex)
            {
                throw new ConnectTimeoutException(
                    "connection timed out after " + config.getConnectTimeoutMillis() + " ms: " + ex.getMessage());
            }
        }

        /** Does nothing while a write is blocked: the next event continues it. */
        @Override
        protected void flush0()
        {
            if (!writeBlocked)
            {
                super.flush0();
            }
        }
    }
}
