package dev.ratelimit.autoconfigure;

import dev.ratelimit.core.TokenBucket;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a {@link TokenBucket} bean for every limit below {@code ratelimit.buckets}.
 */
final class TokenBucketBeansRegistrar implements ImportBeanDefinitionRegistrar {

	static final String BEAN_NAME_PREFIX = "ratelimit.bucket.";

	private final Environment environment;

	TokenBucketBeansRegistrar(Environment environment) {
		this.environment = environment;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
		UnknownProperties.reject(this.environment);
		BucketNames.of(this.environment).spelt().forEach((name) -> register(name, registry));
	}

	private static void register(String name, BeanDefinitionRegistry registry) {
		RootBeanDefinition definition = new RootBeanDefinition();
		definition.setTargetType(TokenBucket.class);
		definition.setFactoryBeanName(RateLimitAutoConfiguration.REGISTRY_BEAN_NAME);
		definition.setFactoryMethodName("bucket");
		definition.getConstructorArgumentValues().addIndexedArgumentValue(0, name);
		definition.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
		registry.registerBeanDefinition(BEAN_NAME_PREFIX + name, definition);
	}

}
