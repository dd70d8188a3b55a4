// SPDX-License-Identifier: Apache-2.0
/** The provider for ConnectX on a ConnectX in software: bad input, faults, and the life of a queue. */
@NullMarked
package io.github.rdma4j.providers.provider;

import org.jspecify.annotations.NullMarked;
