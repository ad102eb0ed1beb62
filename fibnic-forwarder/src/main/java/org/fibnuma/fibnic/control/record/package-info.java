/**
 * Captures and traces of a running router: they switch the capture points of the workers and stream records to a
 * client.
 */
package org.fibnuma.fibnic.control.record;
