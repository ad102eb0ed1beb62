/**
 * Forwarding tables by destination, as switches have them: which channel leads to which server, whatever the input.
 * Turns depend on the input, so a set of paths can be more than tables can say; and tables can join turns that no
 * single path used. That is why what is exported is proved again.
 */
package org.fibnuma.fabric.tables;
