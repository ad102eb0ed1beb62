package org.fibnuma.ipnuma.naming.etcd;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.fibnuma.core.IoFailure;
import org.fibnuma.ipnuma.naming.NameProtocol;

import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
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
 * Sends requests to an etcd cluster by the JSON gateway of its v3 API (etcd documentation, "Why gRPC gateway"; since
 * etcd 3.4 under {@code /v3}). A request goes to the member that answered last; if that member does not answer, to the
 * next. A user logs in before the first request, and again after etcd has refused the token. Each method blocks until
 * the answer has arrived, {@value #TIMEOUT_MS} ms at most to connect and for each read. For one thread.
 */
final class EtcdClient
{
    private static final int TIMEOUT_MS = 2000;
    /** Room for over ten thousand endpoints with some regions each. */
    private static final int MAX_ANSWER_BYTES = 16 << 20;
    private static final int OK = HttpURLConnection.HTTP_OK;
    private static final int BAD_REQUEST = HttpURLConnection.HTTP_BAD_REQUEST;
    private static final int UNAUTHORIZED = HttpURLConnection.HTTP_UNAUTHORIZED;
    /** End of ErrAuthOldRevision in etcdserver/api/v3rpc/rpctypes/error.go of etcd 3.4: users or roles have changed. */
    private static final String OLD_TOKEN = "revision of auth store is old";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String API = "/v3/";
    private static final String WATCH = "watch";
    private static final String CONTENT_TYPE = "Content-Type";
    private static final String JSON_TYPE = "application/json";
    private static final String AUTHORIZATION = "Authorization";
    private static final String KEY = "key";
    private static final String RANGE_END = "range_end";
    private static final String ERROR = "error";
    private static final String CANCEL_REASON = "cancel_reason";

    private final List<URI> members;
    private final EtcdUser user;
    /**
     * Sends watches only: another thread closes their streams, which is not possible with an HttpURLConnection. Other
     * requests do not use it, because that of Java 17 loses refusals: the gateway sends trailers with them ("CR
     * expected").
     */
    private final HttpClient http;
    /** For members whose URL begins with {@code https}; null for the sockets of the JVM. */
    private final SSLSocketFactory sockets;
    private int current;
    /** Token of the last login, null for none. */
    private String token;

    /**
     * Creates a client, which sends nothing yet.
     *
     * @param members URLs of the members' client ports, at least one, such as {@code http://127.0.0.1:2379}.
     * @param tls     with the certificates for members whose URL begins with {@code https}; null for none.
     * @param user    null for a cluster without authentication.
     */
    EtcdClient(final List<URI> members, final SSLContext tls, final EtcdUser user)
    {
        this.members = List.copyOf(members);
        this.user = user;
        this.sockets = tls == null ? null : tls.getSocketFactory();
        final HttpClient.Builder builder = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofMillis(TIMEOUT_MS));
        this.http = (tls == null ? builder : builder.sslContext(tls)).build();
    }

    /** The values of a prefix by key, in order, at one revision of the store. */
    record Range(long revision, TreeMap<String, String> values)
    {
    }

    /** Receives the changes of a {@link Watch}, on the thread that reads it. */
    interface WatchListener
    {
        /** Called when a key was written. */
        void onPut(String key, String value);

        /** Called when a key was deleted or its lease has ended. */
        void onDelete(String key);
    }

    /**
     * Creates a lease that ends after a number of seconds unless it is kept alive. Returns its id. Throws IOException
     * with one line for the log if no member grants it.
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
     * @throws IOException with one line for the log if no member writes it, or there is no such lease.
     */
    void put(final String key, final String value, final long lease) throws IOException
    {
        post("kv/put", pair(key, value, lease));
    }

    /**
     * Writes a key with a lease if the key does not exist.
     *
     * @return false, without effect, if the key exists.
     * @throws IOException with one line for the log if no member answers, or there is no such lease.
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
     * @return its value, or null if the key does not exist.
     * @throws IOException with one line for the log if no member answers.
     */
    String get(final String key) throws IOException
    {
        return read(JSON.createObjectNode().put(KEY, encode(key))).values().get(key);
    }

    /**
     * Reads all keys that begin with a prefix, whose last character is below U+007F. Throws IOException with one line
     * for the log if no member answers.
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
     * Watches all keys that begin with a prefix, at the member that answered last.
     *
     * @param prefix ends with a character below U+007F.
     * @param from   revision of the first change to be reported.
     * @return the watch, which the caller reads and closes.
     * @throws IOException with one line for the log if the member does not answer.
     */
    Watch watch(final String prefix, final long from) throws IOException
    {
        final ObjectNode request = JSON.createObjectNode();
        request.set("create_request", prefixRange(prefix).put("start_revision", Long.toString(from)));
        final URI member = members.get(current);
        final HttpRequest.Builder post = HttpRequest.newBuilder(member.resolve(API + WATCH))
            .timeout(Duration.ofMillis(TIMEOUT_MS))
            .header(CONTENT_TYPE, JSON_TYPE)
            .POST(HttpRequest.BodyPublishers.ofString(request.toString()));
        if (token != null)
        {
            post.header(AUTHORIZATION, token);
        }
        try
        {
            return new Watch(member, http.send(post.build(), HttpResponse.BodyHandlers.ofInputStream()).body());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for etcd at " + member, ex);
        }
        catch (final IOException ex)
        {
            throw silent(member, ex);
        }
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
        IOException failure = null;
        for (int tried = 0; tried < members.size(); tried++)
        {
            try
            {
                return postToCurrent(path, body);
            }
            catch (final IOException ex)
            {
                failure = failure == null ? ex : failure;
                current = (current + 1) % members.size();
            }
        }
        throw failure;
    }

    private JsonNode postToCurrent(final String path, final ObjectNode body) throws IOException
    {
        if (user == null)
        {
            return exchange(path, body);
        }
        final boolean isNew = token == null;
        if (isNew)
        {
            login();
        }
        try
        {
            return exchange(path, body);
        }
        catch (final TokenException ex)
        {
            token = null;
            if (isNew)
            {
                throw ex;
            }
        }
        login();
        return exchange(path, body);
    }

    private void login() throws IOException
    {
        token = exchange("auth/authenticate",
            JSON.createObjectNode().put("name", user.name()).put("password", user.password())).path("token").asText();
    }

    private JsonNode exchange(final String path, final ObjectNode body) throws IOException
    {
        final URI member = members.get(current);
        final int status;
        final byte[] bytes;
        try
        {
            final HttpURLConnection connection = connection(member.resolve(API + path));
            connection.getOutputStream().write(body.toString().getBytes(StandardCharsets.UTF_8));
            status = connection.getResponseCode();
            try (InputStream answer = status < BAD_REQUEST ? connection.getInputStream() : connection.getErrorStream())
            {
                bytes = answer == null ? new byte[0] : answer.readNBytes(MAX_ANSWER_BYTES + 1);
            }
        }
        catch (final IOException ex)
        {
            throw silent(member, ex);
        }
        if (bytes.length > MAX_ANSWER_BYTES)
        {
            throw new IOException("etcd at " + member + " answers with more than " + MAX_ANSWER_BYTES + " bytes");
        }
        final JsonNode answer = parse(bytes);
        final String refusal = refusal(answer);
        if (refusal != null || status != OK)
        {
            final String line = "etcd at " + member + " refuses " + API + path + ": " +
                (refusal == null ? "HTTP status " + status : refusal);
            throw status == UNAUTHORIZED || line.endsWith(OLD_TOKEN) ? new TokenException(line) : new IOException(line);
        }
        if (answer == null)
        {
            throw unlikeEtcd(member, null);
        }
        return answer;
    }

    private HttpURLConnection connection(final URI uri) throws IOException
    {
        final HttpURLConnection connection = (HttpURLConnection)uri.toURL().openConnection();
        if (connection instanceof HttpsURLConnection && sockets != null)
        {
            ((HttpsURLConnection)connection).setSSLSocketFactory(sockets);
        }
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        connection.setInstanceFollowRedirects(false);
        connection.setDoOutput(true);
        connection.setRequestProperty(CONTENT_TYPE, JSON_TYPE);
        if (token != null)
        {
            connection.setRequestProperty(AUTHORIZATION, token);
        }
        return connection;
    }

    private static IOException silent(final URI member, final IOException cause)
    {
        return new IOException("etcd at " + member + " does not answer: " + IoFailure.reason(cause), cause);
    }

    private static IOException unlikeEtcd(final URI member, final IOException cause)
    {
        return new IOException(member + " does not answer like etcd's v3 JSON gateway", cause);
    }

    /** Returns the document, or null if the bytes are not JSON. */
    private static JsonNode parse(final byte[] bytes) throws IOException
    {
        try
        {
            return JSON.readTree(bytes);
        }
        catch (final JacksonException ignore)
        {
            return null;
        }
    }

    /** Returns etcd's reason for a refusal, or null. The reason is a text, or an object in the answer of a stream. */
    private static String refusal(final JsonNode answer)
    {
        if (answer == null || !answer.has(ERROR))
        {
            return null;
        }
        final JsonNode error = answer.path(ERROR);
        return NameProtocol.printable(error.isTextual() ? error.asText() : error.path("message").asText());
    }

    /** etcd does not accept the token of the last login: the token has expired, or users have changed. */
    private static final class TokenException extends IOException
    {
        private static final long serialVersionUID = 1L;

        private TokenException(final String line)
        {
            super(line);
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
        private final URI member;
        private final InputStream stream;
        private volatile boolean isClosed;

        private Watch(final URI member, final InputStream stream)
        {
            this.member = member;
            this.stream = stream;
        }

        /**
         * Reports changes until the watch is closed, or until etcd ends it because it has compacted the first revision.
         * In that case changes may be missing.
         *
         * @throws IOException with one line for the log if the connection ended, etcd refuses the watch or the answer
         *                     is not one of etcd.
         */
        void read(final WatchListener listener) throws IOException
        {
            try (MappingIterator<JsonNode> answers = JSON.readerFor(JsonNode.class).readValues(stream))
            {
                JsonNode result = next(answers);
                while (result != null && !result.has("compact_revision"))
                {
                    for (final JsonNode event : result.path("events"))
                    {
                        report(event, listener);
                    }
                    result = next(answers);
                }
            }
        }

        /** Returns the next result, or null after {@link #close()}. */
        private JsonNode next(final MappingIterator<JsonNode> answers) throws IOException
        {
            final JsonNode answer;
            try
            {
                answer = answers.hasNextValue() ? answers.nextValue() : null;
            }
            catch (final IOException ex)
            {
                if (isClosed)
                {
                    return null;
                }
                throw ex instanceof JacksonException ? unlikeEtcd(member, ex) : ended(ex);
            }
            if (answer == null)
            {
                throw ended(null);
            }
            final JsonNode result = answer.path("result");
            final String refusal =
                result.has(CANCEL_REASON) ? result.path(CANCEL_REASON).asText() : EtcdClient.refusal(answer);
            if (refusal != null)
            {
                throw new IOException(
                    "etcd at " + member + " refuses " + API + WATCH + ": " + NameProtocol.printable(refusal));
            }
            return result;
        }

        private IOException ended(final IOException cause)
        {
            return new IOException("the connection to etcd at " + member + " has ended", cause);
        }

        /** Reports one event. An event without a type is a PUT: the gateway omits fields with their default value. */
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
            isClosed = true;
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
