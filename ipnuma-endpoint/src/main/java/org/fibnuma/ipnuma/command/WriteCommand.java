package org.fibnuma.ipnuma.command;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.fibnuma.core.UserException;
import org.fibnuma.ipnuma.client.AnswerListener;
import org.fibnuma.ipnuma.client.ClientMessage;
import org.fibnuma.ipnuma.client.ClientStatus;
import org.fibnuma.ipnuma.client.EndpointClient;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.Callable;

/** Writes bytes to a peer. */
@Command(
    name = "write",
    mixinStandardHelpOptions = true,
    description = {
        "Writes bytes to a region of a peer, through a running endpoint of this machine.",
        "Exit status 0: the peer has answered a read of the region after the write, and reported no refusal.",
        "Exit status 1 with a format without answers (ipnuma-1g): the peer may have stored the bytes."
    },
    footerHeading = "%nExamples:%n",
    footer = {
        "  fibnuma ipnuma write --name a --peer 2 --region 1 --offset 64 --text hello",
        "  fibnuma ipnuma write --name a --peer 2 --region box --names 127.0.0.1:3423 --long 42"
    })
final class WriteCommand implements Callable<Integer>
{
    private static final long KEY_CORRELATION = 1;
    private static final long READ_CORRELATION = 2;

    @Mixin
    private RemoteOptions options;

    @ArgGroup(multiplicity = "1")
    private Value value;

    private int refused = ClientStatus.OK;
    private boolean answered;

    static final class Value
    {
        @Option(names = "--text", required = true, paramLabel = "TEXT", description = "Store text in UTF-8.")
        private String text;

        @Option(names = "--hex", required = true, paramLabel = "HEX", description = "Store bytes, two digits each.")
        private String hex;

        @Option(names = "--int", required = true, paramLabel = "N", description = "Store 4 bytes as the machine does.")
        private Integer number;

        @Option(names = "--long", required = true, paramLabel = "N", description = "Store 8 bytes as the machine does.")
        private Long longNumber;

        byte[] bytes()
        {
            if (text != null)
            {
                return text.getBytes(StandardCharsets.UTF_8);
            }
            if (hex != null)
            {
                return HexFormat.of().parseHex(hex);
            }
            final ByteBuffer buffer = ByteBuffer.allocate(number != null ? Integer.BYTES : Long.BYTES)
                .order(ByteOrder.nativeOrder());
            return number != null ? buffer.putInt(number).array() : buffer.putLong(longNumber).array();
        }
    }

    @Override
    public Integer call()
    {
        final byte[] bytes = bytes();
        options.resolve();
        store(bytes);
        if (refused != ClientStatus.OK)
        {
            throw new UserException("not written: " + ClientStatus.label(refused));
        }
        return IpnumaCommand.OK;
    }

    private void store(final byte[] bytes)
    {
        try (EndpointClient client = EndpointClient.connect(options.endpoint(), new Confirmation()))
        {
            options.sendKey(client, KEY_CORRELATION);
            final UnsafeBuffer source = new UnsafeBuffer(bytes);
            for (int done = 0; done < bytes.length;)
            {
                final int from = done;
                final int part = Math.min(ClientMessage.MAX_DATA_LENGTH, bytes.length - done);
                options.await(client, () -> client.tryWrite(
                    options.target(from), source, from, part, ClientMessage.ORDERED),
                    "the endpoint accepts no request");
                done += part;
            }
            options.await(client, () -> client.tryRead(options.target(0), 1, READ_CORRELATION),
                "the endpoint accepts no request");
            options.await(client, () -> client.tryFlush(options.peer(), 0), "the endpoint accepts no request");
            options.await(client, () -> answered || refused != ClientStatus.OK, "peer " + options.peer() +
                " does not answer");
            options.linger(client);
        }
    }

    private byte[] bytes()
    {
        try
        {
            final byte[] bytes = value.bytes();
            if (bytes.length == 0)
            {
                throw options.usage("there is nothing to write");
            }
            return bytes;
        }
        catch (final IllegalArgumentException ex)
        {
            throw options.usage("--hex: " + ex.getMessage());
        }
    }

    /** Receives the answer to a read after the write. With any status, the write has arrived before. */
    private final class Confirmation implements AnswerListener
    {
        @Override
        public void onRead(
            final long correlation,
            final int status,
            final DirectBuffer buffer,
            final int offset,
            final int length)
        {
            answered |= correlation == READ_CORRELATION && status != ClientStatus.UNANSWERED &&
                status != ClientStatus.NO_PEER;
            if (status == ClientStatus.NO_PEER || status == ClientStatus.UNANSWERED)
            {
                refused = status;
            }
        }

        @Override
        public void onPeer(final int type, final int peerId, final int status, final long remote)
        {
            if (type == ClientMessage.PEER_ERROR && peerId == options.peer())
            {
                refused = status;
            }
        }
    }
}
