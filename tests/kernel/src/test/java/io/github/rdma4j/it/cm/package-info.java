// SPDX-License-Identifier: Apache-2.0
/** Tests of the connection manager, against a running kernel or a card in software. */
@NullMarked
package io.github.rdma4j.it.cm;

import org.jspecify.annotations.NullMarked;
