package org.fibnuma.core.service.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;

/** Headers of every answer, which keep a browser from using anything but what this server sends. */
final class SecurityHeaders
{
    /** Nothing from elsewhere, no script or style in the page itself, no frame around it. */
    static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; " +
        "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'";

    private SecurityHeaders()
    {
    }

    static void addTo(final HttpHeaders headers)
    {
        headers.set(HttpHeaderNames.CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY)
            .set("x-content-type-options", "nosniff")
            .set("referrer-policy", "no-referrer")
            .set("cross-origin-opener-policy", "same-origin")
            .set("cross-origin-resource-policy", "same-origin");
    }
}
