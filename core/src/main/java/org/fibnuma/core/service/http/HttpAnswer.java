package org.fibnuma.core.service.http;

import java.nio.charset.StandardCharsets;

/**
 * The answer of a resource.
 *
 * @param status      of HTTP, such as 200.
 * @param contentType of the body.
 * @param body        no longer modified; several answers may share it.
 */
public record HttpAnswer(int status, String contentType, byte[] body)
{
    /** Content type of a text for people. */
    public static final String PLAIN_TEXT = "text/plain; charset=utf-8";

    /** Content type of JSON. */
    public static final String JSON = "application/json";

    /** Returns an answer with one line of text, without its line end. */
    public static HttpAnswer line(final int status, final String text)
    {
        return new HttpAnswer(status, PLAIN_TEXT, (text + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
