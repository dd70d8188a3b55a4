// SPDX-License-Identifier: Apache-2.0
/** The providers of cards on cards in software: bad input, faults, and the life of a queue. */
@NullMarked
package io.github.rdma4j.providers.provider;

import org.jspecify.annotations.NullMarked;
