/**
 * What a running router tells about itself, as JSON: scalars, and at most one array of flat objects, so that one
 * printer makes a table of any of them. On the control thread.
 */
package org.fibnuma.fibnic.report;
