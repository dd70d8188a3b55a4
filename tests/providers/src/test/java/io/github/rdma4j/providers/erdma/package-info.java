// SPDX-License-Identifier: Apache-2.0
/** The provider of erdma, by itself. */
@NullMarked
package io.github.rdma4j.providers.erdma;

import org.jspecify.annotations.NullMarked;
