package org.fibnuma.core.service.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.NetUtil;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Detects requests that a web page of another site makes a browser send. Such a page can give its own name the address
 * of this server (DNS rebinding). The request is then of the same origin, but its header Host has that name. So the
 * host must be an IP address, {@code localhost} or a configured name. Other requests of other sites have the header
 * {@code Sec-Fetch-Site} of the Fetch Metadata standard.
 */
final class RequestOrigin
{
    private static final String LOCALHOST = "localhost";
    private static final Set<String> OTHER_SITES = Set.of("cross-site", "same-site");

    private final Set<String> names;

    /** Makes the check of a server with host names in lower case, beside addresses and {@code localhost}. */
    RequestOrigin(final Set<String> names)
    {
        this.names = Set.copyOf(names);
    }

    /** Returns whether the host of a request is missing or occurs twice (RFC 9112 section 3.2: status 400). */
    static boolean isHostMissing(final HttpRequest request)
    {
        final int hosts = request.headers().getAll(HttpHeaderNames.HOST).size();
        return hosts > 1 || hosts == 0 && !request.protocolVersion().equals(HttpVersion.HTTP_1_0);
    }

    /** Returns whether the host of a request is this server. */
    boolean isOwnHost(final HttpHeaders headers)
    {
        final List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
        return hosts.isEmpty() || isOwnHost(hosts.get(0));
    }

    /** Returns whether the value of a header Host, with or without a port, is a host of this server. */
    boolean isOwnHost(final String host)
    {
        final int bracket = host.indexOf(']');
        if (host.startsWith("["))
        {
            return bracket > 0 && isPort(host.substring(bracket + 1)) &&
                NetUtil.isValidIpV6Address(host.substring(1, bracket));
        }
        final int colon = host.indexOf(':');
        final String name = (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT);
        return isPort(colon < 0 ? "" : host.substring(colon)) &&
            (name.equals(LOCALHOST) || NetUtil.isValidIpV4Address(name) || names.contains(name));
    }

    private static boolean isPort(final String text)
    {
        return text.isEmpty() || text.matches(":[0-9]{0,5}");
    }

    /** Returns whether a web page of another site reads or embeds this. A link that the user follows is allowed. */
    static boolean isOfOtherSite(final HttpHeaders headers)
    {
        return OTHER_SITES.contains(headers.get("Sec-Fetch-Site", "")) &&
            !headers.get("Sec-Fetch-Mode", "").equals("navigate");
    }
}
