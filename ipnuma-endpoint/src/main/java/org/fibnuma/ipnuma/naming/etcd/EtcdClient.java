package org.fibnuma.ipnuma.naming.etcd;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.IoFailure;
import org.fibnuma.ipnuma.naming.NameProtocol;

import javax.net.ssl.SSLContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.TreeMap;

/**
 * Requests to an etcd cluster by the JSON gateway of its v3 API (etcd documentation, "Why gRPC gateway"; since etcd
 * 3.4 under {@code /v3}). A request goes to the member that answered last; if that one does not answer, to the next.
 * Each method blocks until the answer has arrived, {@value #TIMEOUT_SECONDS} s at most for each member. For one thread.
 */
final class EtcdClient
{
    private static final int TIMEOUT_SECONDS = 2;
    private static final Duration TIMEOUT = Duration.ofSeconds(TIMEOUT_SECONDS);
    /** More than ten thousand endpoints with some regions each. */
    private static final int MAX_ANSWER_BYTES = 16 << 20;
    private static final int OK = 200;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String KEY = "key";
    private static final String RANGE_END = "range_end";

    private final List<URI> members;
    private final HttpClient http;
    private int current;

    /**
     * Creates a client; nothing is sent yet.
     *
     * @param members URLs of the members' client ports, at least one, such as {@code http://127.0.0.1:2379}.
     * @param tls     with the certificates for members whose URL begins with {@code https}; null for none.
     */
    EtcdClient(final List<URI> members, final SSLContext tls)
    {
        this.members = List.copyOf(members);
        final HttpClient.Builder builder = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT);
        this.http = (tls == null ? builder : builder.sslContext(tls)).build();
    }

    /**
     * The keys of a prefix at one revision.
     *
     * @param revision of the store.
     * @param values   by key, in order.
     */
    record Range(long revision, TreeMap<String, String> values)
    {
    }

    /** Receives what a {@link Watch} reports, on the thread that reads it. */
    interface WatchListener
    {
        /** A key was written. */
        void onPut(String key, String value);

        /** A key was deleted, or its lease has ended. */
        void onDelete(String key);
    }

    /**
     * Creates a lease.
     *
     * @param seconds after which it ends unless it is kept alive.
     * @return its id.
     * @throws IOException with one line for the log if no member grants it.
     */
    long grantLease(final int seconds) throws IOException
    {
        return post("lease/grant", JSON.createObjectNode().put("TTL", seconds)).path("ID").asLong();
    }

    /**
     * Renews a lease.
     *
     * @return false if it has ended.
     * @throws IOException with one line for the log if no member answers.
     */
    boolean keepAlive(final long lease) throws IOException
    {
        return post("lease/keepalive", JSON.createObjectNode().put("ID", Long.toString(lease)))
            .path("result").path("TTL").asLong() > 0;
    }

    /**
     * Ends a lease, and deletes the keys attached to it.
     *
     * @throws IOException with one line for the log if no member does.
     */
    void revokeLease(final long lease) throws IOException
    {
        post("lease/revoke", JSON.createObjectNode().put("ID", Long.toString(lease)));
    }

    /**
     * Writes a key, which is deleted when the lease ends.
     *
     * @throws IOException with one line for the log if no member does, also if there is no such lease.
     */
    void put(final String key, final String value, final long lease) throws IOException
    {
        post("kv/put", pair(key, value, lease));
    }

    /**
     * Writes a key with a lease if it does not exist.
     *
     * @return false if it does: nothing was written.
     * @throws IOException with one line for the log if no member answers, also if there is no such lease.
     */
    boolean putIfAbsent(final String key, final String value, final long lease) throws IOException
    {
        final ObjectNode transaction = JSON.createObjectNode();
        transaction.putArray("compare").addObject()
            .put(KEY, encode(key)).put("target", "CREATE").put("result", "EQUAL").put("create_revision", "0");
        transaction.putArray("success").addObject().set("request_put", pair(key, value, lease));
        return post("kv/txn", transaction).path("succeeded").asBoolean();
    }

    private static ObjectNode pair(final String key, final String value, final long lease)
    {
        return JSON.createObjectNode()
            .put(KEY, encode(key)).put("value", encode(value)).put("lease", Long.toString(lease));
    }

    /**
     * Reads a key.
     *
     * @return its value, null if it does not exist.
     * @throws IOException with one line for the log if no member answers.
     */
    String get(final String key) throws IOException
    {
        return read(JSON.createObjectNode().put(KEY, encode(key))).values().get(key);
    }

    /**
     * Reads all keys that begin with a prefix.
     *
     * @param prefix ends with a character below U+007F.
     * @throws IOException with one line for the log if no member answers.
     */
    Range range(final String prefix) throws IOException
    {
        return read(prefixRange(prefix));
    }

    private Range read(final ObjectNode keys) throws IOException
    {
        final JsonNode answer = post("kv/range", keys);
        final TreeMap<String, String> values = new TreeMap<>();
        for (final JsonNode pair : answer.path("kvs"))
        {
            values.put(decode(pair.path(KEY)), decode(pair.path("value")));
        }
        return new Range(answer.path("header").path("revision").asLong(), values);
    }

    /**
     * Watches all keys that begin with a prefix.
     *
     * @param prefix ends with a character below U+007F.
     * @param from   revision of the first change to be reported.
     * @return the watch, to be read and closed.
     * @throws IOException with one line for the log if no member answers.
     */
    Watch watch(final String prefix, final long from) throws IOException
    {
        final ObjectNode request = JSON.createObjectNode();
        request.set("create_request", prefixRange(prefix).put("start_revision", Long.toString(from)));
        return new Watch(send("watch", request));
    }

    private static ObjectNode prefixRange(final String prefix)
    {
        final int last = prefix.length() - 1;
        return JSON.createObjectNode()
            .put(KEY, encode(prefix))
            .put(RANGE_END, encode(prefix.substring(0, last) + (char)(prefix.charAt(last) + 1)));
    }

    private JsonNode post(final String path, final ObjectNode body) throws IOException
    {
        try (InputStream answer = send(path, body))
        {
            final byte[] bytes = answer.readNBytes(MAX_ANSWER_BYTES + 1);
            if (bytes.length > MAX_ANSWER_BYTES)
            {
                throw new IOException("etcd at " + members.get(current) + " answers with more than " +
                    MAX_ANSWER_BYTES + " bytes");
            }
            return JSON.readTree(bytes);
        }
        catch (final JacksonException ex)
        {
            throw new IOException(members.get(current) + " does not answer like etcd's v3 JSON gateway", ex);
        }
    }

    private InputStream send(final String path, final ObjectNode body) throws IOException
    {
        IOException failure = null;
        for (int tried = 0; tried < members.size(); tried++)
        {
            try
            {
                return sendToCurrent(path, body);
            }
            catch (final IOException ex)
            {
                failure = failure == null ? ex : failure;
                current = (current + 1) % members.size();
            }
        }
        throw failure;
    }

    private InputStream sendToCurrent(final String path, final ObjectNode body) throws IOException
    {
        final URI member = members.get(current);
        final HttpResponse<InputStream> response;
        try
        {
            response = http.send(
                HttpRequest.newBuilder(member.resolve("/v3/" + path))
                    .timeout(TIMEOUT)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                    .build(),
                HttpResponse.BodyHandlers.ofInputStream());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for etcd at " + member, ex);
        }
        catch (final IOException ex)
        {
            throw new IOException("etcd at " + member + " does not answer: " + IoFailure.reason(ex), ex);
        }
        if (response.statusCode() != OK)
        {
            throw new IOException("etcd at " + member + " refuses /v3/" + path + ": " + reason(response));
        }
        return response.body();
    }

    private static String reason(final HttpResponse<InputStream> response) throws IOException
    {
        try (InputStream answer = response.body())
        {
            final String error = JSON.readTree(answer.readNBytes(MAX_ANSWER_BYTES)).path("error").asText();
            return NameProtocol.printable(error.isEmpty() ? "HTTP status " + response.statusCode() : error);
        }
        catch (final JacksonException ignore)
        {
            return "HTTP status " + response.statusCode();
        }
    }

    private static String encode(final String text)
    {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String decode(final JsonNode text) throws IOException
    {
        try
        {
            return new String(Base64.getDecoder().decode(text.asText()), StandardCharsets.UTF_8);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IOException("etcd answers with a key or value that is not in base64", ex);
        }
    }

    /** A watch of a prefix. {@link #close()} is for any thread and ends {@link #read}. */
    static final class Watch implements AutoCloseable
    {
        private final InputStream stream;

        private Watch(final InputStream stream)
        {
            this.stream = stream;
        }

        /**
         * Reports changes until the watch is closed, the connection ends or etcd ends the watch, for instance because
         * it has compacted the first revision. Changes may be missing after that.
         *
         * @throws IOException if the connection ended or the answer is not one of etcd.
         */
        void read(final WatchListener listener) throws IOException
        {
            try (MappingIterator<JsonNode> answers = JSON.readerFor(JsonNode.class).readValues(stream))
            {
                while (answers.hasNextValue())
                {
                    final JsonNode result = answers.nextValue().path("result");
                    for (final JsonNode event : result.path("events"))
                    {
                        report(event, listener);
                    }
                    if (result.path("canceled").asBoolean() || result.isMissingNode())
                    {
                        return;
                    }
                }
            }
        }

        /** PUT is the type of an event without a type: the gateway leaves out fields with their default value. */
        private static void report(final JsonNode event, final WatchListener listener) throws IOException
        {
            final String key = decode(event.path("kv").path(KEY));
            if (event.path("type").asText().equals("DELETE"))
            {
                listener.onDelete(key);
            }
            else
            {
                listener.onPut(key, decode(event.path("kv").path("value")));
            }
        }

        @Override
        public void close()
        {
            try
            {
                stream.close();
            }
            catch (final IOException ignore)
            {
                // It is not used any more.
            }
        }
    }
}
