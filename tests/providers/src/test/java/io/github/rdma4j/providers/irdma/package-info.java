// SPDX-License-Identifier: Apache-2.0
/** The provider of irdma, by itself. */
@NullMarked
package io.github.rdma4j.providers.irdma;

import org.jspecify.annotations.NullMarked;
