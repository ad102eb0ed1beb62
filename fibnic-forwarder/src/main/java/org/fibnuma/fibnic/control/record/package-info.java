/**
 * Captures and traces of a running router, which switch the capture points of the workers and send a record stream to a
 * client.
 */
@org.fibnuma.core.Internal
package org.fibnuma.fibnic.control.record;
