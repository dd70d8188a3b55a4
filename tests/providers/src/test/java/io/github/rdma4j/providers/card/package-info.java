// SPDX-License-Identifier: Apache-2.0
/** The software ConnectX against bytes, without kernel and without provider. */
@NullMarked
package io.github.rdma4j.providers.card;

import org.jspecify.annotations.NullMarked;
