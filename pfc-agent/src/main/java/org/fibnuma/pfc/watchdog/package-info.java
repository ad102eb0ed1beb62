/** Detection of pause storms: a peer that stops us for ever takes a lossless queue, and those behind it, with it. */
package org.fibnuma.pfc.watchdog;
